/* What the test asked for, what rules were broken, and what is still held. */
#ifndef STANDIN_NOTES_H
#define STANDIN_NOTES_H

#include <stddef.h>

/* What the driver's libraries export; all else stays inside. */
#define EXPORTED __attribute__((visibility("default")))

/* The number that the test gave a mode, or zero. */
long mode(const char *name);
/* The text that the test gave a mode, or an empty one. */
const char *mode_text(const char *name);
/* Writes a line for the test. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
int is_zero(const void *memory, size_t bytes);

/* A rule of the interface; breaking it is written down and fails the call. */
#define RULE(condition, status, ...)  \
    do {                              \
        if (!(condition)) {           \
            note("broken: " __VA_ARGS__); \
            return status;            \
        }                             \
    } while (0)
#define ZERO(field, status) RULE(is_zero(&(field), sizeof(field)), status, "%s: %s is not zero", __func__, #field)

/* The context that is current on this thread; null when none is. */
void *current_context(void);
/* Whether device memory holds this many bytes from an address on. */
int device_holds(const void *address, size_t bytes);

#endif
