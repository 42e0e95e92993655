// Something small in a target: five vectors in memory.

struct Mark {
    // Its middle in pixels of the target; what else its look needs.
    place: vec4f,
    // From pixels about its middle to its own units.
    map: vec4f,
    // Alpha not multiplied in.
    color: vec4f,
    // What its look needs.
    look: vec4f,
    // What it may cover in its own units: the middle, and how far to each side, with the pixel that
    // antialiasing adds.
    reach: vec4f,
}

const MARK_VECTORS: u32 = 5u;
