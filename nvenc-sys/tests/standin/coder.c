/* x264 or x265 by way of libavcodec, a packet for each picture at once. */
#include "coder.h"

#include <libavcodec/avcodec.h>
#include <libavutil/frame.h>
#include <libavutil/opt.h>
#include <string.h>

struct coder {
    AVCodecContext *context;
    AVFrame *frame;
    AVPacket *packet;
};

coder *coder_open(int is_hevc, const init_params *init) {
    const AVCodec *codec = avcodec_find_encoder_by_name(is_hevc ? "libx265" : "libx264");
    if (!codec) return NULL;
    const config_params *config = init->config;
    const vui_params *vui = is_hevc ? &config->codec.hevc.vui : &config->codec.h264.vui;
    coder *new = calloc(1, sizeof *new);
    AVCodecContext *context = new->context = avcodec_alloc_context3(codec);
    context->width = init->width;
    context->height = init->height;
    context->pix_fmt = AV_PIX_FMT_YUV420P;
    context->time_base = (AVRational){init->rate_den, init->rate_num};
    context->framerate = (AVRational){init->rate_num, init->rate_den};
    av_reduce(&context->sample_aspect_ratio.num, &context->sample_aspect_ratio.den,
              (int64_t)init->aspect_width * init->height, (int64_t)init->aspect_height * init->width, 255);
    context->gop_size = config->gop;
    context->max_b_frames = 0;
    context->thread_count = 1;
    context->flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_CLOSED_GOP;
    context->color_primaries = vui->primaries;
    context->color_trc = vui->transfer;
    context->colorspace = vui->matrix;
    context->color_range = vui->full_range ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
    char quality[16];
    snprintf(quality, sizeof quality, "%d", config->rate.quality);
    av_opt_set(context->priv_data, "preset", "ultrafast", 0);
    av_opt_set(context->priv_data, "tune", "zerolatency", 0);
    av_opt_set(context->priv_data, "crf", quality, 0);
    if (is_hevc) {
        char options[128];
        snprintf(options, sizeof options, "log-level=none:scenecut=0:open-gop=0:pools=none:frame-threads=1:keyint=%u:min-keyint=%u",
                 config->gop, config->gop);
        av_opt_set(context->priv_data, "x265-params", options, 0);
    } else {
        av_opt_set(context->priv_data, "profile", "high", 0);
        av_opt_set(context->priv_data, "x264-params", "scenecut=0", 0);
    }
    new->frame = av_frame_alloc();
    new->packet = av_packet_alloc();
    new->frame->format = context->pix_fmt;
    new->frame->width = init->width;
    new->frame->height = init->height;
    av_log_set_level(AV_LOG_ERROR);
    if (avcodec_open2(context, codec, NULL) < 0 || av_frame_get_buffer(new->frame, 0) < 0) {
        coder_close(new);
        return NULL;
    }
    return new;
}

const uint8_t *coder_headers(const coder *coder, int *bytes) {
    *bytes = coder->context->extradata_size;
    return coder->context->extradata;
}

int coder_send(coder *coder, const uint8_t *luma, int pitch, int64_t timestamp) {
    if (!luma) return avcodec_send_frame(coder->context, NULL);
    AVFrame *frame = coder->frame;
    if (av_frame_make_writable(frame) < 0) return -1;
    const uint8_t *chroma = luma + (size_t)pitch * frame->height;
    for (int y = 0; y < frame->height; y++)
        memcpy(frame->data[0] + (size_t)y * frame->linesize[0], luma + (size_t)y * pitch, frame->width);
    for (int y = 0; y < frame->height / 2; y++)
        for (int x = 0; x < frame->width / 2; x++) {
            frame->data[1][y * frame->linesize[1] + x] = chroma[(size_t)y * pitch + 2 * x];
            frame->data[2][y * frame->linesize[2] + x] = chroma[(size_t)y * pitch + 2 * x + 1];
        }
    frame->pts = timestamp;
    return avcodec_send_frame(coder->context, frame);
}

int coder_receive(coder *coder, coded *packet) {
    if (avcodec_receive_packet(coder->context, coder->packet) < 0) return 0;
    packet->bytes = coder->packet->size;
    packet->data = malloc(packet->bytes);
    memcpy(packet->data, coder->packet->data, packet->bytes);
    packet->timestamp = coder->packet->pts;
    packet->is_key = coder->packet->flags & AV_PKT_FLAG_KEY;
    av_packet_unref(coder->packet);
    return 1;
}

void coder_close(coder *coder) {
    avcodec_free_context(&coder->context);
    av_frame_free(&coder->frame);
    av_packet_free(&coder->packet);
    free(coder);
}
