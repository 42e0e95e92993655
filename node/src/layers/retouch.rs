//! What happens to the colours of a picture before it is drawn: its green screen goes, and colour
//! filters are applied.

use kinora_composition::timeline::MediaBox;

use super::key::key_of;
use crate::Result;
use crate::gpu::{ColorChange, ColorFunction, Gpu, Key, Painter, Sprite};
use crate::media::DecodedImage;

/// Changes of colours, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Retouch {
    key: Option<Key>,
    functions: Vec<ColorFunction>,
}

impl Retouch {
    pub(super) fn new(media: &MediaBox, functions: &[ColorFunction]) -> Self {
        Self {
            key: media.greenscreen.as_ref().map(key_of),
            functions: functions.to_vec(),
        }
    }

    /// Changes a picture on the device.
    pub(super) fn apply(&self, painter: &mut Painter<'_>, sprite: &Sprite) {
        if let Some(key) = &self.key {
            painter.key(sprite, key);
        }
        if !self.functions.is_empty() {
            let change = ColorChange {
                functions: self.functions.clone(),
                alpha: 1.0,
            };
            painter.colors(sprite, &change);
        }
    }

    /// Changes a picture on the host, by passes of the device.
    pub(super) fn apply_to_image(&self, gpu: &Gpu, image: &mut DecodedImage) -> Result<()> {
        if *self == Self::default() {
            return Ok(());
        }
        let sprite = Sprite::upload(gpu, image.width, image.height, &image.pixels)?;
        let mut painter = Painter::new(gpu);
        self.apply(&mut painter, &sprite);
        painter.submit();
        image.pixels = sprite.download(gpu)?;
        Ok(())
    }
}
