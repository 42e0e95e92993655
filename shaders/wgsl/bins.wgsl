// Which marks touch which part of a target. A bin is a small rectangle with a bit for each mark, so that its marks
// are in painting order whichever of them came to it first; and with a bit for each word of those bits, and for
// each of these again, so that empty ones need not be looked at. `cell` says how many bins are in a row, how often their sides are
// doubled, how many marks there are, and how many rows of bins; `shifts.xy` where the first bin begins.

const BIN_ACROSS: u32 = 16u;
const BIN_DOWN: u32 = 8u;

// Words of marks in each bin.
fn bin_words() -> u32 {
    return (params.cell.z + 31u) / 32u;
}

// Words in each bin that tell which of those words are not empty.
fn bin_groups() -> u32 {
    return (bin_words() + 31u) / 32u;
}

// How many of those one bit of a bin's first word tells about.
fn groups_at_once() -> u32 {
    return (bin_groups() + 31u) / 32u;
}

// Where the words of marks begin: behind those of all bins that tell about them.
fn first_bin_word() -> u32 {
    return params.cell.x * params.cell.w * (1u + bin_groups());
}
