/* What the public header of NVENC 12.0 and CUDA's driver interface lay down, declared a second time and
 * apart from the Rust side, so that a mistake in one of them shows. */
#ifndef STANDIN_ABI_H
#define STANDIN_ABI_H

#include <stddef.h>
#include <stdint.h>

enum {
    OK = 0,
    ERR_UNSUPPORTED_DEVICE = 2,
    ERR_INVALID_PTR = 6,
    ERR_INVALID_PARAM = 8,
    ERR_INVALID_CALL = 9,
    ERR_OUT_OF_MEMORY = 10,
    ERR_NOT_INITIALIZED = 11,
    ERR_NOT_ENOUGH_BUFFER = 14,
    ERR_INVALID_VERSION = 15,
    ERR_NEED_MORE_INPUT = 17,
    ERR_BUSY = 18,
    ERR_GENERIC = 20,
};

#define WORD(revision) (12u | ((uint32_t)(revision) << 16) | 0x70000000u)
#define GROWN_WORD(revision) (WORD(revision) | 0x80000000u)

typedef struct {
    uint32_t a;
    uint16_t b, c;
    uint8_t d[8];
} guid;

typedef struct {
    uint32_t version, device_type;
    void *device, *reserved;
    uint32_t api_version, reserved1[253];
    void *reserved2[64];
} open_params;

typedef struct {
    uint32_t inter_p, inter_b, intra;
} quantizers;

typedef struct {
    uint32_t version, mode;
    quantizers constant;
    uint32_t average_rate, max_rate, vbv_size, vbv_delay;
    uint32_t min_qp : 1, max_qp : 1, initial_qp : 1, aq : 1, reserved_bit : 1, lookahead : 1, no_i_adapt : 1,
        no_b_adapt : 1, temporal_aq : 1, zero_reorder : 1, non_ref_p : 1, strict_gop : 1, aq_strength : 4,
        external_lookahead : 1, reserved_bits : 15;
    quantizers lowest, highest, initial;
    uint32_t layer_mask;
    uint8_t layer_qp[8];
    uint8_t quality, quality_fraction;
    uint16_t lookahead_depth;
    uint8_t key_frame_scale;
    int8_t y_dc, u_dc, v_dc;
    uint32_t qp_map_mode, multi_pass, alpha_ratio;
    int8_t cb_offset, cr_offset;
    uint16_t reserved2;
    uint32_t reserved[4];
} rate_params;

typedef struct {
    uint32_t overscan_present, overscan, signal_present, video_format, full_range, colours_present, primaries, transfer,
        matrix, chroma_location_present, chroma_top, chroma_bottom, restriction, timing_present, units, time_scale;
    uint32_t reserved[12];
} vui_params;

typedef struct {
    uint32_t svc : 1, mvc : 1, hierarchical_p : 1, hierarchical_b : 1, buffering_sei : 1, timing_sei : 1, aud : 1,
        no_headers : 1, packing_sei : 1, recovery_sei : 1, intra_refresh : 1, constrained : 1, repeat_headers : 1, vfr : 1,
        ltr : 1, lossless : 1, constrained_intra : 1, filler : 1, no_prefix : 1, scalability_sei : 1, single_slice : 1,
        time_code : 1, reserved_bits : 10;
    uint32_t level, idr_period, separate_planes, deblocking, layers, sps_id, pps_id, transform, fmo, direct, entropy, stereo,
        refresh_period, refresh_count, references, slice_mode, slice_data;
    vui_params vui;
    uint32_t ltr_frames, ltr_trust, chroma_format, max_layers, b_reference, l0, l1;
    uint32_t reserved1[267];
    void *reserved2[64];
} h264_params;

typedef struct {
    uint32_t level, tier, smallest_unit, largest_unit;
    uint32_t constrained_intra : 1, no_deblock_across : 1, buffering_sei : 1, timing_sei : 1, aud : 1, ltr : 1,
        no_headers : 1, repeat_headers : 1, intra_refresh : 1, chroma_format : 2, depth_beyond_8 : 3, filler : 1,
        constrained : 1, alpha : 1, single_slice : 1, recovery_sei : 1, time_code : 1, reserved_bits : 12;
    uint32_t idr_period, refresh_period, refresh_count, references, ltr_frames, vps_id, sps_id, pps_id, slice_mode,
        slice_data, max_layers;
    vui_params vui;
    uint32_t ltr_trust, b_reference, l0, l1;
    uint32_t reserved1[214];
    void *reserved2[64];
} hevc_params;

typedef struct {
    uint32_t version;
    guid profile;
    uint32_t gop;
    int32_t p_interval;
    uint32_t monochrome, field_mode, precision;
    rate_params rate;
    union {
        h264_params h264;
        hevc_params hevc;
        uint32_t reserved[320];
    } codec;
    uint32_t reserved[278];
    void *reserved2[64];
} config_params;

typedef struct {
    uint32_t version;
    config_params config;
    uint32_t reserved1[255];
    void *reserved2[64];
} preset_params;

typedef struct {
    uint32_t version;
    guid codec, preset;
    uint32_t width, height, aspect_width, aspect_height, rate_num, rate_den, async, type_decision;
    uint32_t bits, private_size;
    void *private_data;
    config_params *config;
    uint32_t max_width, max_height;
    uint32_t hints[2][4];
    uint32_t tuning, format, state_buffers, stats_level;
    uint32_t reserved[285];
    void *reserved2[64];
} init_params;

typedef struct {
    uint32_t version, width, height, heap, format, reserved;
    void *buffer, *system;
    uint32_t reserved1[57];
    void *reserved2[63];
} create_input_params;

typedef struct {
    uint32_t version, size, heap, reserved;
    void *buffer, *pointer;
    uint32_t reserved1[58];
    void *reserved2[64];
} create_output_params;

typedef struct {
    uint32_t version, bits;
    void *buffer, *data;
    uint32_t pitch, reserved1[251];
    void *reserved2[64];
} lock_input_params;

typedef struct {
    uint32_t version, kind, width, height, pitch, sub_resource;
    void *resource, *registered;
    uint32_t format, usage;
    void *fence;
    uint32_t chroma_offset[2], reserved1[245];
    void *reserved2[61];
} register_params;

typedef struct {
    uint32_t version, sub_resource;
    void *deprecated, *registered, *mapped;
    uint32_t format, reserved1[251];
    void *reserved2[63];
} map_params;

/* Per-picture parameters of codecs: the largest of them, AV1's, makes the size. */
typedef struct {
    uint32_t words[7];
    void *tiles[2];
    uint32_t payloads, reserved;
    void *payload, *grain;
    uint32_t reserved2[247];
    void *reserved3[61];
} largest_codec_picture;

typedef struct {
    uint32_t version, width, height, pitch, flags, index;
    uint64_t timestamp, duration;
    void *input, *output, *event;
    uint32_t format, structure, type;
    largest_codec_picture codec;
    uint32_t hint_counts[2][4];
    void *hints;
    uint32_t reserved1[6];
    void *reserved2[2];
    int8_t *qp_map;
    uint32_t qp_map_size, reserved_bits;
    uint16_t hint_distance[2];
    void *alpha, *block_hints;
    uint32_t block_hint_count, state_buffer;
    void *reconstruction;
    uint32_t reserved3[284];
    void *reserved4[57];
} picture_params;

typedef struct {
    uint32_t version, bits;
    void *buffer;
    uint32_t *slice_offsets;
    uint32_t index, status, slices, size;
    uint64_t timestamp, duration;
    void *data;
    uint32_t type, structure, average_qp, satd, ltr_index, ltr_bitmap, temporal_id, intra_count, inter_count;
    int32_t motion_x, motion_y;
    uint32_t alpha_size, stats_size;
    void *stats;
    uint32_t display_index, reserved1[220];
    void *reserved2[63];
    uint32_t reserved_internal[8];
} lock_output_params;

typedef struct {
    uint32_t version, room, sps_id, pps_id;
    void *buffer;
    uint32_t *size;
    uint32_t reserved[250];
    void *reserved2[64];
} sequence_params;

typedef struct {
    uint32_t version, reserved;
    void *open, *guid_count, *profile_count, *profiles, *guids, *format_count, *formats, *caps, *preset_count, *presets,
        *preset_config, *initialize, *create_input, *destroy_input, *create_output, *destroy_output, *encode, *lock_output,
        *unlock_output, *lock_input, *unlock_input, *stats, *sequence, *register_event, *unregister_event, *map, *unmap,
        *destroy, *invalidate, *open_ex, *register_resource, *unregister_resource, *reconfigure, *reserved1, *create_mv,
        *destroy_mv, *motion, *last_error, *streams, *preset_config_ex, *sequence_ex, *restore, *lookahead;
    void *reserved2[275];
} function_list;

typedef struct {
    uint32_t type;
    union {
        int fd;
        struct {
            void *handle;
            const void *name;
        } win32;
    } handle;
    unsigned long long size;
    unsigned int flags;
    unsigned int reserved[16];
} external_memory;

typedef struct {
    unsigned long long offset, size;
    unsigned int flags;
    unsigned int reserved[16];
} external_buffer;

/* Sizes that are known of the real thing. */
_Static_assert(sizeof(open_params) == 1552, "open_params");
_Static_assert(sizeof(config_params) == 3584, "config_params");
_Static_assert(sizeof(preset_params) == 5128, "preset_params");
_Static_assert(sizeof(init_params) == 1808, "init_params");
_Static_assert(sizeof(picture_params) == 3360, "picture_params");
_Static_assert(sizeof(lock_output_params) == 1552, "lock_output_params");
_Static_assert(sizeof(function_list) == 2552, "function_list");

#endif
