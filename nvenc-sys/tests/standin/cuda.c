/* Stands in for the CUDA driver: one GPU whose memory is the host's. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi.h"
#include "notes.h"

enum { CUDA_INVALID = 1, CUDA_NOT_INITIALIZED = 3, CUDA_NO_DEVICE = 100, CUDA_BAD_CONTEXT = 201 };

typedef struct imported {
    int fd;
    char *map;
    size_t map_bytes, offset, bytes;
    int is_mapped;
    struct imported *next;
} imported;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int is_initialized, retained;
static char primary;
static imported *memories;
static _Thread_local int depth;

void *current_context(void) { return depth > 0 ? &primary : NULL; }

int device_holds(const void *address, size_t bytes) {
    int holds = 0;
    pthread_mutex_lock(&lock);
    for (imported *memory = memories; memory; memory = memory->next) {
        const char *start = memory->map + memory->offset;
        if (memory->is_mapped && (const char *)address >= start && (const char *)address + bytes <= start + memory->bytes)
            holds = 1;
    }
    pthread_mutex_unlock(&lock);
    return holds;
}

EXPORTED int cuInit(unsigned flags) {
    RULE(flags == 0, CUDA_INVALID, "cuInit: flags");
    if (mode("no_gpu")) return CUDA_NO_DEVICE;
    is_initialized = 1;
    return OK;
}

EXPORTED int cuDeviceGetCount(int *count) {
    RULE(is_initialized, CUDA_NOT_INITIALIZED, "cuDeviceGetCount before cuInit");
    *count = 2;
    return OK;
}

EXPORTED int cuDeviceGet(int *device, int ordinal) {
    RULE(is_initialized, CUDA_NOT_INITIALIZED, "cuDeviceGet before cuInit");
    RULE(ordinal >= 0 && ordinal < 2, CUDA_INVALID, "cuDeviceGet: there is no GPU %d", ordinal);
    *device = 40 + ordinal;
    return OK;
}

EXPORTED int cuDeviceGetName(char *name, int length, int device) {
    snprintf(name, length, "Standin GPU %d", device - 40);
    return OK;
}

/* The second GPU is the one that draws, where the test says which that is. */
EXPORTED int cuDeviceGetUuid_v2(unsigned char *uuid, int device) {
    memset(uuid, device, 16);
    const char *text = mode_text("uuid");
    if (device == 41 && strlen(text) == 32)
        for (int at = 0; at < 16; at++) sscanf(text + 2 * at, "%2hhx", &uuid[at]);
    return OK;
}

EXPORTED int cuDevicePrimaryCtxRetain(void **context, int device) {
    RULE(device == 40 || device == 41, CUDA_INVALID, "cuDevicePrimaryCtxRetain: device %d", device);
    retained++;
    *context = &primary;
    note("context of GPU %d retained", device - 40);
    return OK;
}

EXPORTED int cuDevicePrimaryCtxRelease_v2(int device) {
    (void)device;
    RULE(retained > 0, CUDA_INVALID, "a context is released too often");
    retained--;
    note("context released, %d left", retained);
    if (!retained && memories) note("broken: imported memory outlives its context");
    return OK;
}

EXPORTED int cuCtxPushCurrent_v2(void *context) {
    RULE(context == &primary && retained > 0, CUDA_BAD_CONTEXT, "cuCtxPushCurrent: no such context");
    depth++;
    return OK;
}

EXPORTED int cuCtxPopCurrent_v2(void **context) {
    RULE(depth > 0, CUDA_BAD_CONTEXT, "cuCtxPopCurrent: none is current");
    depth--;
    *context = &primary;
    return OK;
}

EXPORTED int cuGetErrorString(int status, const char **text) {
    *text = status == CUDA_NO_DEVICE ? "no CUDA-capable device is detected" : "standin error";
    return OK;
}

/* Memory of Mesa's software adapter: a file whose first bytes are its own. */
EXPORTED int cuImportExternalMemory(void **memory, const external_memory *handle) {
    RULE(depth > 0, CUDA_BAD_CONTEXT, "cuImportExternalMemory: no context is current");
    RULE(handle->type == 1, CUDA_INVALID, "cuImportExternalMemory: type %u", handle->type);
    RULE(handle->flags == 1, CUDA_INVALID, "cuImportExternalMemory: flags %u", handle->flags);
    ZERO(handle->reserved, CUDA_INVALID);
    struct stat file;
    RULE(!fstat(handle->handle.fd, &file), CUDA_INVALID, "cuImportExternalMemory: no open descriptor");
    RULE(handle->size > 0 && (unsigned long long)file.st_size >= handle->size, CUDA_INVALID,
         "cuImportExternalMemory: %llu of %lld bytes", handle->size, (long long)file.st_size);
    if (mode("no_import")) return CUDA_INVALID;
    char *map = mmap(NULL, file.st_size, PROT_READ, MAP_SHARED, handle->handle.fd, 0);
    if (map == MAP_FAILED) return CUDA_INVALID;
    imported *new = calloc(1, sizeof *new);
    *new = (imported){handle->handle.fd, map, file.st_size, mode("memory_offset"), handle->size, 0, NULL};
    pthread_mutex_lock(&lock);
    new->next = memories;
    memories = new;
    pthread_mutex_unlock(&lock);
    *memory = new;
    return OK;
}

EXPORTED int cuExternalMemoryGetMappedBuffer(uint64_t *pointer, void *memory, const external_buffer *range) {
    imported *known = memory;
    RULE(depth > 0, CUDA_BAD_CONTEXT, "cuExternalMemoryGetMappedBuffer: no context is current");
    RULE(range->offset + range->size <= known->bytes, CUDA_INVALID, "cuExternalMemoryGetMappedBuffer: beyond the memory");
    RULE(range->flags == 0, CUDA_INVALID, "cuExternalMemoryGetMappedBuffer: flags");
    ZERO(range->reserved, CUDA_INVALID);
    known->is_mapped = 1;
    *pointer = (uint64_t)(uintptr_t)(known->map + known->offset + range->offset);
    return OK;
}

EXPORTED int cuMemFree_v2(uint64_t pointer) {
    RULE(depth > 0, CUDA_BAD_CONTEXT, "cuMemFree: no context is current");
    pthread_mutex_lock(&lock);
    imported *memory = memories;
    while (memory && (uint64_t)(uintptr_t)(memory->map + memory->offset) != pointer) memory = memory->next;
    if (memory) memory->is_mapped = 0;
    pthread_mutex_unlock(&lock);
    RULE(memory, CUDA_INVALID, "cuMemFree: not a mapping");
    return OK;
}

EXPORTED int cuDestroyExternalMemory(void *memory) {
    imported *known = memory;
    RULE(depth > 0, CUDA_BAD_CONTEXT, "cuDestroyExternalMemory: no context is current");
    RULE(!known->is_mapped, CUDA_INVALID, "cuDestroyExternalMemory: it is still mapped");
    pthread_mutex_lock(&lock);
    imported **at = &memories;
    while (*at && *at != known) at = &(*at)->next;
    if (*at) *at = known->next;
    pthread_mutex_unlock(&lock);
    munmap(known->map, known->map_bytes);
    close(known->fd);
    free(known);
    return OK;
}

EXPORTED int cuMemcpyDtoH_v2(void *host, uint64_t pointer, size_t bytes) {
    RULE(depth > 0, CUDA_BAD_CONTEXT, "cuMemcpyDtoH: no context is current");
    RULE(device_holds((void *)(uintptr_t)pointer, bytes), CUDA_INVALID, "cuMemcpyDtoH: not device memory");
    memcpy(host, (void *)(uintptr_t)pointer, bytes);
    return OK;
}
