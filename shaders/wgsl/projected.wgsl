// Blends a sprite that is seen in perspective, clipped to a rounded box. `to_box` and `color` lead
// from target pixels to the box: the first two rows in `to_box` and `shifts.zw`, the third in `color`;
// `to_source` leads on from the box to texels.

@group(0) @binding(2) var<storage, read> source: array<u32>;

// More samples than this do not show.
const MOST_SAMPLES: f32 = 4.0;

fn texel(p: vec2f) -> vec4f {
    let index = params.planes.w + u32(p.y) * params.strides.z + u32(p.x);
    return unpack4x8unorm(source[index]);
}

fn sample(p: vec2f) -> vec4f {
    let at = p - 0.5;
    let low = floor(at);
    let part = at - low;
    let first = floor(params.window.xy);
    let last = max(ceil(params.window.zw) - 1.0, first);
    let a = clamp(low, first, last);
    let b = clamp(low + 1.0, first, last);
    let top = mix(texel(a), texel(vec2f(b.x, a.y)), part.x);
    let bottom = mix(texel(vec2f(a.x, b.y)), texel(b), part.x);
    return mix(top, bottom, part.y);
}

// How much of the pixel lies before an edge that it is `distance` away from.
fn side(distance: f32, gradient: vec2f) -> f32 {
    return clamp(distance / max(length(gradient), 1e-6) + 0.5, 0.0, 1.0);
}

// Coverage of a rectangle at `p`, where a step to the right is `dx` and one downwards `dy`.
fn rectangle(p: vec2f, low: vec2f, high: vec2f, dx: vec2f, dy: vec2f) -> f32 {
    let across = vec2f(dx.x, dy.x);
    let down = vec2f(dx.y, dy.y);
    let inside_x = max(side(p.x - low.x, across) + side(high.x - p.x, across) - 1.0, 0.0);
    let inside_y = max(side(p.y - low.y, down) + side(high.y - p.y, down) - 1.0, 0.0);
    return inside_x * inside_y;
}

fn rounded(p: vec2f, center: vec2f, radius: vec2f, toward: vec2f, dx: vec2f, dy: vec2f) -> f32 {
    let offset = (p - center) * toward;
    if offset.x <= 0.0 || offset.y <= 0.0 || radius.x <= 0.0 || radius.y <= 0.0 {
        return 1.0;
    }
    let q = offset / radius;
    let away = max(length(q), 1e-6);
    let normal = q / (radius * away) * toward;
    return side(1.0 - away, vec2f(dot(normal, dx), dot(normal, dy)));
}

@compute @workgroup_size(32, 2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = params.area.x + i32(id.x);
    let y = params.area.y + i32(id.y);
    if x >= params.area.z || y >= params.area.w {
        return;
    }
    let center = vec2f(f32(x) + 0.5, f32(y) + 0.5);
    let depth = dot(params.color.xy, center) + params.color.z;
    if depth <= 1e-6 {
        return;
    }
    let p = to_box(center.x, center.y) / depth;
    let dx = (params.to_box.xy - p * params.color.x) / depth;
    let dy = (params.to_box.zw - p * params.color.y) / depth;
    let size = params.box_size.xy;
    let rx = params.radii_x;
    let ry = params.radii_y;
    var coverage = rectangle(p, vec2f(0.0), size, dx, dy);
    coverage = min(coverage, rounded(p, vec2f(rx.x, ry.x), vec2f(rx.x, ry.x), vec2f(-1.0, -1.0), dx, dy));
    coverage = min(coverage, rounded(p, vec2f(size.x - rx.y, ry.y), vec2f(rx.y, ry.y), vec2f(1.0, -1.0), dx, dy));
    coverage = min(coverage, rounded(p, vec2f(size.x - rx.z, size.y - ry.z), vec2f(rx.z, ry.z), vec2f(1.0, 1.0), dx, dy));
    coverage = min(coverage, rounded(p, vec2f(rx.w, size.y - ry.w), vec2f(rx.w, ry.w), vec2f(-1.0, 1.0), dx, dy));
    let m = params.to_source;
    let at = to_source(p.x, p.y);
    let sx = vec2f(m.x * dx.x + m.z * dx.y, m.y * dx.x + m.w * dx.y);
    let sy = vec2f(m.x * dy.x + m.z * dy.y, m.y * dy.x + m.w * dy.y);
    coverage *= rectangle(at, params.window.xy, params.window.zw, sx, sy);
    if coverage <= 0.0 {
        return;
    }
    // Where texels are smaller than pixels, several of them make one.
    let across = i32(clamp(ceil(length(sx) - 0.25), 1.0, MOST_SAMPLES));
    let down = i32(clamp(ceil(length(sy) - 0.25), 1.0, MOST_SAMPLES));
    var sum = vec4f(0.0);
    for (var row = 0; row < down; row++) {
        for (var column = 0; column < across; column++) {
            let u = (f32(column) + 0.5) / f32(across) - 0.5;
            let v = (f32(row) + 0.5) / f32(down) - 0.5;
            sum += sample(at + sx * u + sy * v);
        }
    }
    blend(x, y, sum / f32(across * down) * (coverage * params.box_size.z));
}
