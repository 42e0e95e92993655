//! Whether a device draws what it should: tried with a small frame whose every byte is known.

use super::{DrawnFrame, FrameShape, Gpu, Painter, Readback, Sprite};
use crate::{Error, Result};

const SHAPE: FrameShape = FrameShape {
    width: 64,
    height: 64,
};
/// Black, white and grey in limited range.
const BLACK: u8 = 16;
const WHITE: u8 = 235;
const COLOURLESS: u8 = 128;

impl Gpu {
    /// Draws a frame, black above and white below, brings it to the host and looks at all of it.
    pub fn try_out(&self) -> Result<()> {
        let FrameShape { width, height } = SHAPE;
        let half = (width * height / 2) as usize;
        let black: Vec<u8> = [0, 0, 0, 255].repeat(half);
        let canvas = Sprite::upload(self, width, height, &[black, vec![255; half * 4]].concat())?;
        let mut readback = Readback::new(self, SHAPE);
        Painter::new(self).present(&canvas, &mut readback)?;
        let Some(DrawnFrame::Host(planes)) = readback.take(self, Vec::new())? else {
            return Err(Error::internal("trying the device", "no frame came back"));
        };
        let expected = [vec![BLACK; half], vec![WHITE; half], vec![COLOURLESS; half]].concat();
        let wrong = planes.iter().zip(&expected).filter(|(a, b)| a != b).count();
        if planes.len() != expected.len() || wrong > 0 {
            let reason = format!("{wrong} of {} bytes of a frame are wrong", expected.len());
            return Err(Error::internal("trying the device", reason));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_device_passes_until_it_is_lost() {
        let gpu = Gpu::open().await.expect("an adapter");
        gpu.try_out().expect("a good frame");
        assert_eq!(gpu.loss(), None);
        gpu.device().destroy();
        let loss = gpu.loss().expect("seen at once");
        assert!(!loss.is_out_of_memory && gpu.lost().is_cancelled());
        let error = gpu
            .try_out()
            .expect_err("no frame comes from a lost device");
        assert!(matches!(error, Error::DeviceLost(_)), "{error}");
    }
}
