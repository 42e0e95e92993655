// Marks in memory, and their numbers in lists.

fn keep(index: u32, mark: Mark) {
    let first = index * MARK_VECTORS;
    marks[first] = mark.place;
    marks[first + 1u] = mark.map;
    marks[first + 2u] = mark.color;
    marks[first + 3u] = mark.look;
    marks[first + 4u] = mark.reach;
}

fn put(bin: u32, entry: u32, index: u32, mark: Mark) {
    atomicStore(&bins[first_listed(bin) + entry], index);
}
