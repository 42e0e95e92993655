/* Rules for structures that no state is needed for. */
#ifndef STANDIN_RULES_H
#define STANDIN_RULES_H

#include "abi.h"

extern const guid H264, HEVC;

int same_guid(guid a, guid b);
int is_codec(guid codec);
int is_preset(guid preset);
/* What a driver answers for a preset: not what anybody wants to keep as it is. */
void fill_preset(config_params *config, int is_hevc);
int check_initialize(const init_params *params);
int check_picture(const picture_params *params, const init_params *init);
/* Bytes of the parameter sets at the beginning of headers. */
int parameter_sets(const uint8_t *headers, int bytes, int is_hevc);

#endif
