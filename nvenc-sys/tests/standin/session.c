/* Stands in for the encode library: checks every call against the interface's rules and encodes for real. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "coder.h"
#include "notes.h"
#include "rules.h"

enum kind { INPUT = 0x1a, OUTPUT = 0x2b, REGISTERED = 0x3c };

/* Something of a session that has a handle. */
typedef struct object {
    enum kind kind;
    int is_locked, is_mapped, is_waiting, has_packet;
    uint8_t *data;
    uint32_t pitch;
    coded packet;
    char mapping;
    struct object *next;
} object;

typedef struct {
    init_params init;
    config_params config;
    int is_initialized, is_hevc, has_ended, has_failed, is_busy;
    long number, frames, held;
    uint64_t last_timestamp;
    coder *coder;
    object *objects;
    object *waiting[64];
    int waiting_count;
    coded kept[64];
    int kept_count;
} session;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int open_sessions;
static long all_sessions;

static object *find(session *session, enum kind kind, const void *handle) {
    for (object *each = session->objects; each; each = each->next)
        if (each->kind == kind && (each == handle || (kind == REGISTERED && &each->mapping == handle))) return each;
    return NULL;
}

static object *add(session *session, enum kind kind) {
    object *new = calloc(1, sizeof *new);
    new->kind = kind;
    new->next = session->objects;
    session->objects = new;
    return new;
}

static void take_out(session *session, object *gone) {
    object **at = &session->objects;
    while (*at != gone) at = &(*at)->next;
    *at = gone->next;
    free(gone);
}

#define LIVE(s) RULE((s) && current_context(), ERR_INVALID_PTR, "%s: no session, or no current context", __func__)
#define READY(s) LIVE(s); RULE((s)->is_initialized, ERR_NOT_INITIALIZED, "%s before nvEncInitializeEncoder", __func__)
#define VERSION(params, word) \
    RULE((params)->version == (word), ERR_INVALID_VERSION, "%s: version %08x", __func__, (params)->version)

static int open_ex(open_params *params, void **encoder) {
    VERSION(params, WORD(1));
    RULE(params->api_version == 12, ERR_INVALID_VERSION, "open: interface %08x", params->api_version);
    RULE(params->device_type == 1 && params->device && params->device == current_context(), ERR_INVALID_PTR, "open: no current context");
    ZERO(params->reserved, ERR_INVALID_PARAM);
    ZERO(params->reserved1, ERR_INVALID_PARAM);
    ZERO(params->reserved2, ERR_INVALID_PARAM);
    if (mode("open_status")) return mode("open_status");
    int status = OK;
    pthread_mutex_lock(&lock);
    if (mode("sessions") && open_sessions >= mode("sessions")) status = ERR_OUT_OF_MEMORY;
    else open_sessions++;
    pthread_mutex_unlock(&lock);
    if (status) return status;
    session *new = calloc(1, sizeof *new);
    new->number = ++all_sessions;
    *encoder = new;
    note("session opened");
    return OK;
}

static int guid_count(session *session, uint32_t *count) {
    LIVE(session);
    *count = mode("no_hevc") ? 1 : 2;
    return OK;
}

static int guids(session *session, guid *out, uint32_t room, uint32_t *count) {
    LIVE(session);
    RULE(room >= 1, ERR_INVALID_PARAM, "nvEncGetEncodeGUIDs: no room");
    out[0] = H264;
    *count = 1;
    if (!mode("no_hevc") && room > 1) out[(*count)++] = HEVC;
    return OK;
}

static int preset_config(session *session, guid codec, guid preset, uint32_t tuning, preset_params *params) {
    LIVE(session);
    VERSION(params, GROWN_WORD(4));
    RULE(params->config.version == GROWN_WORD(8), ERR_INVALID_VERSION, "preset: version of the configuration");
    RULE(is_codec(codec) && is_preset(preset), ERR_INVALID_PARAM, "preset: unknown codec or preset");
    RULE(tuning >= 1 && tuning <= 4, ERR_INVALID_PARAM, "preset: tuning %u", tuning);
    ZERO(params->reserved1, ERR_INVALID_PARAM);
    ZERO(params->reserved2, ERR_INVALID_PARAM);
    fill_preset(&params->config, same_guid(codec, HEVC));
    return OK;
}

static int initialize(session *session, init_params *params) {
    LIVE(session);
    RULE(!session->is_initialized, ERR_INVALID_CALL, "nvEncInitializeEncoder twice");
    int status = check_initialize(params);
    if (status) return status;
    if (mode("initialize_status")) return mode("initialize_status");
    session->is_hevc = same_guid(params->codec, HEVC);
    session->init = *params;
    session->config = *params->config;
    session->init.config = &session->config;
    session->held = mode("hold");
    session->coder = coder_open(session->is_hevc, &session->init);
    if (!session->coder) return ERR_UNSUPPORTED_DEVICE;
    session->is_initialized = 1;
    return OK;
}

static int sequence(session *session, sequence_params *params) {
    READY(session);
    VERSION(params, WORD(1));
    ZERO(params->reserved, ERR_INVALID_PARAM);
    ZERO(params->reserved2, ERR_INVALID_PARAM);
    int bytes;
    const uint8_t *headers = coder_headers(session->coder, &bytes);
    /* x264 and x265 put a message about themselves after the parameter sets; the real thing does not. */
    bytes = parameter_sets(headers, bytes, session->is_hevc);
    RULE(params->buffer && params->size && params->room >= (uint32_t)bytes, ERR_NOT_ENOUGH_BUFFER, "sequence: room for %u bytes", params->room);
    memcpy(params->buffer, headers, bytes);
    *params->size = bytes;
    return OK;
}

static int create_input(session *session, create_input_params *params) {
    READY(session);
    VERSION(params, WORD(1));
    RULE(params->width == session->init.width && params->height == session->init.height && params->format == 1, ERR_INVALID_PARAM, "input: %u×%u, format %u", params->width, params->height, params->format);
    RULE(!params->heap && !params->reserved && !params->system, ERR_INVALID_PARAM, "input: deprecated fields");
    ZERO(params->reserved1, ERR_INVALID_PARAM);
    ZERO(params->reserved2, ERR_INVALID_PARAM);
    object *new = add(session, INPUT);
    new->pitch = (params->width + 63) / 64 * 64;
    new->data = malloc((size_t)new->pitch * params->height * 3 / 2);
    params->buffer = new;
    return OK;
}

static int destroy_input(session *session, void *handle) {
    READY(session);
    object *input = find(session, INPUT, handle);
    RULE(input && !input->is_locked && !input->is_waiting, ERR_INVALID_PTR, "nvEncDestroyInputBuffer: unknown, locked or in use");
    free(input->data);
    take_out(session, input);
    return OK;
}

static int create_output(session *session, create_output_params *params) {
    READY(session);
    VERSION(params, WORD(1));
    RULE(!params->size && !params->heap && !params->reserved, ERR_INVALID_PARAM, "output: deprecated fields");
    ZERO(params->reserved1, ERR_INVALID_PARAM);
    ZERO(params->reserved2, ERR_INVALID_PARAM);
    params->buffer = add(session, OUTPUT);
    return OK;
}

static int destroy_output(session *session, void *handle) {
    READY(session);
    object *output = find(session, OUTPUT, handle);
    RULE(output && !output->is_locked, ERR_INVALID_PTR, "nvEncDestroyBitstreamBuffer: unknown or locked");
    RULE(session->has_failed || (!output->is_waiting && !output->has_packet), ERR_INVALID_CALL, "nvEncDestroyBitstreamBuffer: a packet was not fetched");
    free(output->packet.data);
    take_out(session, output);
    return OK;
}

static int lock_input(session *session, lock_input_params *params) {
    READY(session);
    VERSION(params, WORD(1));
    RULE(!params->bits, ERR_INVALID_PARAM, "nvEncLockInputBuffer: flags");
    ZERO(params->reserved1, ERR_INVALID_PARAM);
    ZERO(params->reserved2, ERR_INVALID_PARAM);
    object *input = find(session, INPUT, params->buffer);
    RULE(input && !input->is_locked, ERR_INVALID_PTR, "nvEncLockInputBuffer: unknown or locked");
    input->is_locked = 1;
    params->data = input->data;
    params->pitch = input->pitch;
    return OK;
}

static int unlock_input(session *session, void *handle) {
    READY(session);
    object *input = find(session, INPUT, handle);
    RULE(input && input->is_locked, ERR_INVALID_PTR, "nvEncUnlockInputBuffer: not locked");
    input->is_locked = 0;
    return OK;
}

static int register_resource(session *session, register_params *params) {
    READY(session);
    VERSION(params, WORD(4));
    RULE(params->kind == 1 && params->format == 1 && params->usage == 0 && !params->sub_resource && !params->fence, ERR_INVALID_PARAM, "register: kind %u, format %u", params->kind, params->format);
    RULE(params->width == session->init.width && params->height == session->init.height, ERR_INVALID_PARAM, "register: %u×%u", params->width, params->height);
    RULE(params->pitch >= params->width && params->pitch % 4 == 0, ERR_INVALID_PARAM, "register: pitch %u", params->pitch);
    RULE(device_holds(params->resource, (size_t)params->pitch * params->height * 3 / 2), ERR_INVALID_PTR, "register: not so much device memory there");
    ZERO(params->reserved1, ERR_INVALID_PARAM);
    ZERO(params->reserved2, ERR_INVALID_PARAM);
    object *new = add(session, REGISTERED);
    new->data = params->resource;
    new->pitch = params->pitch;
    params->registered = new;
    note("resource registered");
    return OK;
}

static int unregister_resource(session *session, void *handle) {
    READY(session);
    object *registered = find(session, REGISTERED, handle);
    RULE(registered && registered == handle && !registered->is_mapped, ERR_INVALID_PTR, "nvEncUnregisterResource: unknown or mapped");
    take_out(session, registered);
    return OK;
}

static int map(session *session, map_params *params) {
    READY(session);
    VERSION(params, WORD(4));
    RULE(!params->sub_resource && !params->deprecated, ERR_INVALID_PARAM, "map: deprecated fields");
    ZERO(params->reserved1, ERR_INVALID_PARAM);
    ZERO(params->reserved2, ERR_INVALID_PARAM);
    object *registered = find(session, REGISTERED, params->registered);
    RULE(registered && !registered->is_mapped, ERR_INVALID_PTR, "nvEncMapInputResource: unknown or mapped");
    registered->is_mapped = 1;
    params->mapped = &registered->mapping;
    params->format = 1;
    return OK;
}

static int unmap(session *session, void *handle) {
    READY(session);
    object *registered = find(session, REGISTERED, handle);
    RULE(registered && handle == &registered->mapping && registered->is_mapped, ERR_INVALID_PTR, "nvEncUnmapInputResource: not mapped");
    registered->is_mapped = 0;
    return OK;
}

/* Gives finished packets to the outputs that wait, oldest first; whether none waits any more. */
static int settle(session *session, long keep) {
    while (session->kept_count < 64 && coder_receive(session->coder, &session->kept[session->kept_count])) session->kept_count++;
    if (session->kept_count <= keep) return 0;
    while (session->kept_count && session->waiting_count) {
        object *output = session->waiting[0];
        output->packet = session->kept[0];
        output->is_waiting = 0;
        output->has_packet = 1;
        memmove(session->waiting, session->waiting + 1, --session->waiting_count * sizeof *session->waiting);
        memmove(session->kept, session->kept + 1, --session->kept_count * sizeof *session->kept);
    }
    return session->waiting_count == 0;
}

static int encode(session *session, picture_params *params) {
    READY(session);
    RULE(!session->has_ended, ERR_INVALID_CALL, "nvEncEncodePicture after the end");
    int status = check_picture(params, &session->init);
    if (status) return status;
    if (params->flags & 8) {
        session->has_ended = 1;
        coder_send(session->coder, NULL, 0, 0);
        settle(session, 0);
        RULE(session->waiting_count == 0, ERR_GENERIC, "standin: a picture got no packet");
        return OK;
    }
    object *input = find(session, INPUT, params->input), *mapped = find(session, REGISTERED, params->input);
    object *source = input ? input : mapped, *output = find(session, OUTPUT, params->output);
    RULE(source && (input || (params->input == &mapped->mapping && mapped->is_mapped)), ERR_INVALID_PTR, "nvEncEncodePicture: the input is neither ours nor mapped");
    RULE(!source->is_locked, ERR_INVALID_CALL, "nvEncEncodePicture: the input is locked");
    RULE(params->pitch == source->pitch, ERR_INVALID_PARAM, "nvEncEncodePicture: pitch %u, not %u", params->pitch, source->pitch);
    RULE(output && !output->is_locked && !output->is_waiting && !output->has_packet, ERR_INVALID_PTR, "nvEncEncodePicture: the output is unknown or in use");
    RULE(session->frames == 0 || params->timestamp > session->last_timestamp, ERR_INVALID_PARAM, "nvEncEncodePicture: time goes backwards");
    if (mode("busy") && !session->is_busy && session->frames % mode("busy") == 0) {
        session->is_busy = 1;
        return ERR_BUSY;
    }
    session->is_busy = 0;
    int fails_at_once = session->frames == 0 && session->number == mode("fail_first_of_session");
    if (fails_at_once || (mode("fail_at") && session->frames + 1 == mode("fail_at"))) {
        session->has_failed = 1;
        return ERR_GENERIC;
    }
    session->frames++;
    session->last_timestamp = params->timestamp;
    if (coder_send(session->coder, source->data, source->pitch, params->timestamp) < 0) return ERR_GENERIC;
    output->is_waiting = 1;
    session->waiting[session->waiting_count++] = output;
    return settle(session, session->held) ? OK : ERR_NEED_MORE_INPUT;
}

static int lock_output(session *session, lock_output_params *params) {
    READY(session);
    VERSION(params, GROWN_WORD(1));
    RULE(!params->bits && !params->slice_offsets && !params->stats, ERR_INVALID_PARAM, "nvEncLockBitstream: flags");
    ZERO(params->reserved1, ERR_INVALID_PARAM);
    ZERO(params->reserved2, ERR_INVALID_PARAM);
    ZERO(params->reserved_internal, ERR_INVALID_PARAM);
    object *output = find(session, OUTPUT, params->buffer);
    RULE(output && output->has_packet && !output->is_locked, ERR_INVALID_CALL, "nvEncLockBitstream: nothing in it yet");
    output->is_locked = 1;
    params->data = output->packet.data;
    params->size = output->packet.bytes;
    params->timestamp = output->packet.timestamp;
    params->duration = 1;
    params->type = output->packet.is_key ? 3 : 0;
    params->structure = 1;
    return OK;
}

static int unlock_output(session *session, void *handle) {
    READY(session);
    object *output = find(session, OUTPUT, handle);
    RULE(output && output->is_locked, ERR_INVALID_PTR, "nvEncUnlockBitstream: not locked");
    output->is_locked = output->has_packet = 0;
    free(output->packet.data);
    output->packet.data = NULL;
    return OK;
}

static int destroy(session *session) {
    LIVE(session);
    if (session->frames && !session->has_ended && !session->has_failed) note("broken: the end was never said");
    for (object *each = session->objects; each; each = each->next) note("broken: object %x outlives its session", each->kind);
    note("session closed after %ld frames", session->frames);
    if (session->coder) coder_close(session->coder);
    free(session);
    pthread_mutex_lock(&lock);
    open_sessions--;
    pthread_mutex_unlock(&lock);
    return OK;
}

static const char *last_error(session *session) { return session && session->has_failed ? "the standin was told to fail" : ""; }

EXPORTED int NvEncodeAPIGetMaxSupportedVersion(uint32_t *version) {
    *version = mode("driver") ? mode("driver") : (13 << 4);
    return OK;
}

EXPORTED int NvEncodeAPICreateInstance(function_list *list) {
    VERSION(list, WORD(2));
    RULE(is_zero(&list->reserved, sizeof *list - 4), ERR_INVALID_PARAM, "function list: not empty");
    list->open_ex = open_ex;
    list->guid_count = guid_count;
    list->guids = guids;
    list->preset_config_ex = preset_config;
    list->initialize = initialize;
    list->sequence = sequence;
    list->create_input = create_input;
    list->destroy_input = destroy_input;
    list->create_output = create_output;
    list->destroy_output = destroy_output;
    list->lock_input = lock_input;
    list->unlock_input = unlock_input;
    list->register_resource = register_resource;
    list->unregister_resource = unregister_resource;
    list->map = map;
    list->unmap = unmap;
    list->encode = encode;
    list->lock_output = lock_output;
    list->unlock_output = unlock_output;
    list->destroy = destroy;
    list->last_error = last_error;
    return OK;
}
