//! Text overlays.

use kinora_composition::css::{Shadow, Sides};
use kinora_composition::timeline::{BoxStyle, Size, TextBlock, TextStyle};

use super::frame::{self, sigma};
use super::still::Still;
use crate::Result;
use crate::gpu::{Gpu, Painter, Sprite};
use crate::text::{Span, TextLayout, Typesetter};

/// Rasters a text overlay: its box, its shadows, its letters.
pub(super) fn raster(gpu: &Gpu, typesetter: &mut Typesetter, block: &TextBlock) -> Result<Still> {
    let span = Span {
        text: &block.text,
        color: block.style.color,
        weight: block.style.weight,
    };
    let text = SetText::new(typesetter, &[span], &block.style, &block.frame, block.size);
    let mut stack = Stack::new(gpu, &block.frame, block.size)?;
    for shadow in block.style.shadows.iter().rev() {
        let colored = Span {
            text: &block.text,
            color: shadow.color,
            weight: block.style.weight,
        };
        let cast = SetText::new(
            typesetter,
            &[colored],
            &block.style,
            &block.frame,
            block.size,
        );
        stack.put_shadow(&cast, typesetter, shadow)?;
    }
    stack.put_text(&text, typesetter)?;
    Ok(stack.finish())
}

/// Text laid out in a box.
pub(super) struct SetText {
    pub(super) layout: TextLayout,
    /// Where the first line begins, relative to the box.
    pub(super) origin: (f32, f32),
    size: (u32, u32),
}

impl SetText {
    pub(super) fn new(
        typesetter: &mut Typesetter,
        spans: &[Span<'_>],
        style: &TextStyle,
        frame: &BoxStyle,
        size: Size,
    ) -> Self {
        let Sides {
            top,
            right,
            bottom,
            left,
        } = frame.padding;
        // CSS padding percentages refer to the width on all sides.
        let [top, right, bottom, left] =
            [top, right, bottom, left].map(|side| side.resolve(size.width));
        let width = (size.width - left - right).max(0.0);
        let height = (size.height - top - bottom).max(0.0);
        let layout = TextLayout::new(&mut typesetter.fonts, spans, style, width, height);
        let first_line = top + (height - layout.height) / 2.0;
        Self {
            layout,
            origin: (left, first_line.round()),
            size: (size.width.ceil() as u32, size.height.ceil() as u32),
        }
    }
}

/// A picture that grows from the back: the box first, then what is in it.
pub(super) struct Stack<'g> {
    painter: Painter<'g>,
    still: Still,
}

impl<'g> Stack<'g> {
    /// A stack with the box's shadows and background at its bottom.
    pub(super) fn new(gpu: &'g Gpu, style: &BoxStyle, size: Size) -> Result<Self> {
        let still = match frame::raster(gpu, style, size)? {
            Some(still) => still,
            None => Still {
                sprite: Sprite::new(gpu, size.width.ceil() as u32, size.height.ceil() as u32)?,
                origin: (0.0, 0.0),
            },
        };
        Ok(Self {
            painter: Painter::new(gpu),
            still,
        })
    }

    /// Puts a picture of the box's size on top.
    pub(super) fn put(&mut self, sprite: &Sprite) {
        let corner = (-self.still.origin.0 as i32, -self.still.origin.1 as i32);
        self.painter.copy(&self.still.sprite, sprite, corner, 1.0);
        self.painter.submit();
    }

    /// Puts letters on top.
    pub(super) fn put_text(&mut self, text: &SetText, typesetter: &mut Typesetter) -> Result<()> {
        let sprite = typesetter.draw(self.painter.gpu(), &text.layout, text.size, text.origin)?;
        self.put(&sprite);
        Ok(())
    }

    /// Puts the shadow of letters on top; the letters carry the shadow's colour.
    pub(super) fn put_shadow(
        &mut self,
        text: &SetText,
        typesetter: &mut Typesetter,
        shadow: &Shadow,
    ) -> Result<()> {
        let at = (text.origin.0 + shadow.dx, text.origin.1 + shadow.dy);
        let sharp = typesetter.draw(self.painter.gpu(), &text.layout, text.size, at)?;
        let sprite = if shadow.blur > 0.0 {
            self.painter.blur(&sharp, sigma(shadow.blur))?
        } else {
            sharp
        };
        self.put(&sprite);
        Ok(())
    }

    /// The painter, for content of another kind, and the sprite it goes to.
    pub(super) fn painter(&mut self) -> (&mut Painter<'g>, &Still) {
        (&mut self.painter, &self.still)
    }

    pub(super) fn finish(mut self) -> Still {
        self.painter.submit();
        self.still
    }
}
