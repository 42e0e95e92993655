/* Rules for structures that no state is needed for. */
#include "rules.h"

#include <string.h>

#include "notes.h"

const guid H264 = {0x6bc82762, 0x4e63, 0x4ca4, {0xaa, 0x85, 0x1e, 0x50, 0xf3, 0x21, 0xf6, 0xbf}};
const guid HEVC = {0x790cdc88, 0x4522, 0x4d7b, {0x94, 0x25, 0xbd, 0xa9, 0x97, 0x5f, 0x76, 0x03}};
static const guid HIGH = {0xe7cbc309, 0x4f7a, 0x4b89, {0xaf, 0x2a, 0xd5, 0x37, 0xc9, 0x2b, 0xe3, 0x10}};
static const guid MAIN = {0xb514c39a, 0xb55b, 0x40fa, {0x87, 0x8f, 0xf1, 0x25, 0x3b, 0x4d, 0xfd, 0xec}};
static const guid AUTO = {0xbfd6f8e7, 0x233c, 0x4341, {0x8b, 0x3e, 0x48, 0x18, 0x52, 0x38, 0x03, 0xf4}};
static const guid PRESETS[] = {
    {0xfc0a8d3e, 0x45f8, 0x4cf8, {0x80, 0xc7, 0x29, 0x88, 0x71, 0x59, 0x0e, 0xbf}},
    {0xf581cfb8, 0x88d6, 0x4381, {0x93, 0xf0, 0xdf, 0x13, 0xf9, 0xc2, 0x7d, 0xab}},
    {0x36850110, 0x3a07, 0x441f, {0x94, 0xd5, 0x36, 0x70, 0x63, 0x1f, 0x91, 0xf6}},
    {0x90a7b826, 0xdf06, 0x4862, {0xb9, 0xd2, 0xcd, 0x6d, 0x73, 0xa0, 0x86, 0x81}},
    {0x21c6e6b4, 0x297a, 0x4cba, {0x99, 0x8f, 0xb6, 0xcb, 0xde, 0x72, 0xad, 0xe3}},
    {0x8e75c279, 0x6299, 0x4ab6, {0x83, 0x02, 0x0b, 0x21, 0x5a, 0x33, 0x5c, 0xf5}},
    {0x84848c12, 0x6f71, 0x4c13, {0x93, 0x1b, 0x53, 0xe2, 0x83, 0xf5, 0x79, 0x74}},
};

int same_guid(guid a, guid b) { return !memcmp(&a, &b, sizeof a); }

int is_codec(guid codec) { return same_guid(codec, H264) || same_guid(codec, HEVC); }

int is_preset(guid preset) {
    for (size_t at = 0; at < sizeof PRESETS / sizeof *PRESETS; at++)
        if (same_guid(preset, PRESETS[at])) return 1;
    return 0;
}

/* Values that only a driver knows, and that must come back as they were. */
enum { PRECISION = 3, MULTI_PASS = 1, DEBLOCKING = 2 };

void fill_preset(config_params *config, int is_hevc) {
    config->profile = AUTO;
    config->gop = 0xffffffff;
    config->p_interval = 3;
    config->field_mode = 1;
    config->precision = PRECISION;
    config->rate.version = WORD(1);
    config->rate.mode = 1;
    config->rate.average_rate = 5000000;
    config->rate.vbv_size = 1000;
    config->rate.lookahead = 1;
    config->rate.lookahead_depth = 8;
    config->rate.multi_pass = MULTI_PASS;
    if (is_hevc) {
        config->codec.hevc.repeat_headers = 1;
        config->codec.hevc.largest_unit = 3;
        config->codec.hevc.idr_period = 0xffffffff;
        config->codec.hevc.chroma_format = 3;
    } else {
        config->codec.h264.repeat_headers = 1;
        config->codec.h264.deblocking = DEBLOCKING;
        config->codec.h264.idr_period = 0xffffffff;
    }
}

static int check_vui(const vui_params *vui, uint32_t time_scale) {
    RULE(vui->signal_present == 1 && vui->video_format == 5 && vui->full_range == 0, ERR_INVALID_PARAM, "vui: signal");
    RULE(vui->colours_present == 1 && vui->primaries == 1 && vui->transfer == 1 && vui->matrix == 1, ERR_INVALID_PARAM, "vui: not BT.709");
    RULE(vui->timing_present == 1 && vui->units == 1 && vui->time_scale == time_scale, ERR_INVALID_PARAM, "vui: %u/%u", vui->time_scale, vui->units);
    RULE(vui->restriction == 1 && !vui->overscan_present && !vui->chroma_location_present, ERR_INVALID_PARAM, "vui: the rest");
    ZERO(vui->reserved, ERR_INVALID_PARAM);
    return OK;
}

static int check_rate(const rate_params *rate) {
    RULE(rate->version == WORD(1), ERR_INVALID_VERSION, "rate: version %08x", rate->version);
    RULE(rate->mode == 1 && rate->quality >= 1 && rate->quality <= 51, ERR_INVALID_PARAM, "rate: mode %u, quality %u", rate->mode, rate->quality);
    RULE(!rate->average_rate && !rate->max_rate && !rate->vbv_size && !rate->vbv_delay, ERR_INVALID_PARAM, "rate: a rate is set beside the quality");
    RULE(rate->aq && rate->no_i_adapt && !rate->lookahead && !rate->lookahead_depth, ERR_INVALID_PARAM, "rate: flags");
    RULE(!rate->reserved_bit && !rate->reserved_bits && !rate->reserved2, ERR_INVALID_PARAM, "rate: reserved bits");
    RULE(rate->multi_pass == MULTI_PASS, ERR_INVALID_PARAM, "rate: the preset's passes are lost");
    ZERO(rate->reserved, ERR_INVALID_PARAM);
    return OK;
}

static int check_config(const config_params *config, int is_hevc, uint32_t fps) {
    RULE(config->version == GROWN_WORD(8), ERR_INVALID_VERSION, "config: version %08x", config->version);
    RULE(same_guid(config->profile, is_hevc ? MAIN : HIGH), ERR_INVALID_PARAM, "config: profile");
    RULE(config->gop > 0 && config->gop < 100000 && config->p_interval == 1, ERR_INVALID_PARAM, "config: groups of %u, every %d", config->gop, config->p_interval);
    RULE(config->field_mode == 1 && !config->monochrome && config->precision == PRECISION, ERR_INVALID_PARAM, "config: modes");
    ZERO(config->reserved, ERR_INVALID_PARAM);
    ZERO(config->reserved2, ERR_INVALID_PARAM);
    int status = check_rate(&config->rate);
    if (status) return status;
    if (is_hevc) {
        const hevc_params *hevc = &config->codec.hevc;
        RULE(hevc->no_headers && !hevc->repeat_headers && !hevc->aud, ERR_INVALID_PARAM, "hevc: headers");
        RULE(hevc->chroma_format == 1 && !hevc->depth_beyond_8 && hevc->idr_period == config->gop, ERR_INVALID_PARAM, "hevc: format");
        RULE(hevc->largest_unit == 3 && !hevc->reserved_bits, ERR_INVALID_PARAM, "hevc: the preset is lost");
        ZERO(hevc->reserved1, ERR_INVALID_PARAM);
        ZERO(hevc->reserved2, ERR_INVALID_PARAM);
        return check_vui(&hevc->vui, fps);
    }
    const h264_params *h264 = &config->codec.h264;
    RULE(h264->no_headers && !h264->repeat_headers && !h264->aud, ERR_INVALID_PARAM, "h264: headers");
    RULE(h264->chroma_format == 1 && h264->entropy == 1 && h264->idr_period == config->gop, ERR_INVALID_PARAM, "h264: format");
    RULE(h264->deblocking == DEBLOCKING && !h264->reserved_bits, ERR_INVALID_PARAM, "h264: the preset is lost");
    ZERO(h264->reserved1, ERR_INVALID_PARAM);
    ZERO(h264->reserved2, ERR_INVALID_PARAM);
    return check_vui(&h264->vui, 2 * fps);
}

int check_initialize(const init_params *params) {
    RULE(params->version == GROWN_WORD(6), ERR_INVALID_VERSION, "initialize: version %08x", params->version);
    RULE(is_codec(params->codec) && is_preset(params->preset), ERR_INVALID_PARAM, "initialize: codec or preset");
    RULE(params->width && params->height && !(params->width % 2) && !(params->height % 2), ERR_INVALID_PARAM, "initialize: %u×%u", params->width, params->height);
    RULE(params->aspect_width && params->aspect_height, ERR_INVALID_PARAM, "initialize: aspect");
    RULE(params->rate_num && params->rate_den, ERR_INVALID_PARAM, "initialize: rate");
    RULE(!params->async && params->type_decision == 1 && !params->bits, ERR_INVALID_PARAM, "initialize: flags");
    RULE(!params->private_size && !params->private_data && !params->max_width && !params->max_height, ERR_INVALID_PARAM, "initialize: what must be zero");
    RULE(params->tuning >= 1 && params->tuning <= 4 && !params->format && !params->state_buffers && !params->stats_level, ERR_INVALID_PARAM, "initialize: tuning %u", params->tuning);
    ZERO(params->hints, ERR_INVALID_PARAM);
    ZERO(params->reserved, ERR_INVALID_PARAM);
    ZERO(params->reserved2, ERR_INVALID_PARAM);
    RULE(params->config, ERR_INVALID_PTR, "initialize: no configuration");
    return check_config(params->config, same_guid(params->codec, HEVC), params->rate_num / params->rate_den);
}

int check_picture(const picture_params *params, const init_params *init) {
    RULE(params->version == GROWN_WORD(6), ERR_INVALID_VERSION, "picture: version %08x", params->version);
    RULE(!(params->flags & ~0xeu), ERR_INVALID_PARAM, "picture: flags %x", params->flags);
    ZERO(params->event, ERR_INVALID_PARAM);
    RULE(is_zero((const char *)params + offsetof(picture_params, type), sizeof *params - offsetof(picture_params, type)), ERR_INVALID_PARAM, "picture: what follows its memory is not zero");
    if (params->flags & 8) {
        RULE(!params->input && !params->output, ERR_INVALID_PARAM, "picture: the end has no picture");
        return OK;
    }
    RULE(params->width == init->width && params->height == init->height, ERR_INVALID_PARAM, "picture: %u×%u", params->width, params->height);
    RULE(params->format == 1 && params->structure == 1, ERR_INVALID_PARAM, "picture: format %u, structure %u", params->format, params->structure);
    RULE(params->pitch >= params->width && params->pitch % 4 == 0, ERR_INVALID_PARAM, "picture: pitch %u", params->pitch);
    return OK;
}

int parameter_sets(const uint8_t *headers, int bytes, int is_hevc) {
    for (int at = 0; at + 3 < bytes; at++) {
        if (headers[at] || headers[at + 1] || headers[at + 2] != 1) continue;
        int type = is_hevc ? headers[at + 3] >> 1 & 63 : headers[at + 3] & 31;
        if (type == (is_hevc ? 39 : 6)) return at && !headers[at - 1] ? at - 1 : at;
    }
    return bytes;
}
