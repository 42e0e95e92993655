// Specks in memory, and again on the shelf of each bin: whoever blends them need not go and look for them.

fn keep(index: u32, mark: Mark) {
    store(index * SPECK_VECTORS, speck_of(mark));
}

fn put(bin: u32, entry: u32, index: u32, mark: Mark) {
    store(shelved(bin, entry), speck_of(mark));
}
