/* A true encoder behind the stand-in, so that what it returns can be played. */
#ifndef STANDIN_CODER_H
#define STANDIN_CODER_H

#include "abi.h"

typedef struct coder coder;
typedef struct {
    uint8_t *data;
    int bytes;
    int64_t timestamp;
    int is_key;
} coded;

coder *coder_open(int is_hevc, const init_params *init);
const uint8_t *coder_headers(const coder *coder, int *bytes);
/* Takes a picture in NV12; null is the end. */
int coder_send(coder *coder, const uint8_t *luma, int pitch, int64_t timestamp);
/* Whether a packet was there. Its data is to be freed. */
int coder_receive(coder *coder, coded *packet);
void coder_close(coder *coder);

#endif
