//! Parts of an effect that `staggeredMotion` moves.

use kinora_composition::timeline::{Affine, PieceState};

use crate::gpu::Dab;

/// Moves a dab as the part that it belongs to is moved, about the middle of that part.
pub(super) fn move_piece(dab: &mut Dab, piece: Option<&PieceState>, middle: (f32, f32)) {
    if let Some(piece) = piece.filter(|piece| **piece != PieceState::AT_REST) {
        dab.map = movement(piece, middle).then_inner(dab.map);
        dab.color[3] *= piece.opacity as f32;
    }
}

/// From where a part belongs to where it is.
pub(super) fn movement(piece: &PieceState, (x, y): (f32, f32)) -> Affine {
    let scale = piece.scale as f32;
    Affine::translate(piece.x as f32, piece.y as f32).then_inner(
        Affine::rotate(piece.rotate)
            .then_inner(Affine::scale(scale, scale))
            .about(x, y),
    )
}
