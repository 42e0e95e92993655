/* Modes come from a file beside the library, notes go to another: every copy of the library is a machine of its own. */
#define _GNU_SOURCE
#include "notes.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void beside(char *path, size_t room, const char *ending) {
    Dl_info info;
    path[0] = 0;
    if (dladdr((void *)beside, &info)) snprintf(path, room, "%s.%s", info.dli_fname, ending);
}

const char *mode_text(const char *name) {
    static _Thread_local char found[256];
    char path[4096], line[256], key[64];
    found[0] = 0;
    beside(path, sizeof path, "mode");
    FILE *file = fopen(path, "r");
    if (!file) return found;
    while (fgets(line, sizeof line, file)) {
        char value[128];
        if (sscanf(line, "%63s %127s", key, value) == 2 && !strcmp(key, name)) strcpy(found, value);
    }
    fclose(file);
    return found;
}

long mode(const char *name) { return strtol(mode_text(name), NULL, 10); }

void note(const char *format, ...) {
    char path[4096];
    va_list arguments;
    pthread_mutex_lock(&lock);
    beside(path, sizeof path, "log");
    FILE *file = fopen(path, "a");
    if (file) {
        va_start(arguments, format);
        vfprintf(file, format, arguments);
        va_end(arguments);
        fputc('\n', file);
        fclose(file);
    }
    pthread_mutex_unlock(&lock);
}

int is_zero(const void *memory, size_t bytes) {
    const unsigned char *byte = memory;
    for (size_t at = 0; at < bytes; at++)
        if (byte[at]) return 0;
    return 1;
}
