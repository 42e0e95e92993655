// Marks that are there already.

fn take(index: u32, sharer: u32) {
    let k = index * MARK_VECTORS;
    enlist(index, Mark(marks[k], marks[k + 1u], marks[k + 2u], marks[k + 3u], marks[k + 4u]), sharer);
}
