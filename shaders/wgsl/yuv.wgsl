// From Y'CbCr to R'G'B', by the coefficients of the source.

fn to_rgb(y: f32, u: f32, v: f32) -> vec3f {
    let luma = (y - params.yuv_a.x) * params.yuv_a.y;
    let cb = u - 128.0 / 255.0;
    let cr = v - 128.0 / 255.0;
    let rgb = vec3f(
        luma + params.yuv_a.z * cr,
        luma + params.yuv_b.x * cb + params.yuv_b.y * cr,
        luma + params.yuv_a.w * cb,
    );
    return clamp(rgb, vec3f(0.0), vec3f(1.0));
}
