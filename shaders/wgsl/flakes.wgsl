// Flakes of snow where they are.

fn kept(first: u32) -> Speck {
    return Speck(specks[first], specks[first + 1u]);
}

fn held(number: u32) -> Speck {
    let first = number * SPECK_VECTORS;
    return Speck(at_hand[first], at_hand[first + 1u]);
}
