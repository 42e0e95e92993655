//! Green screens: which colour of a picture becomes see-through, and how.

use kinora_composition::document::Greenscreen;

use crate::gpu::Key;

/// How much is removed when the document does not say, of 255.
const SENSITIVITY: f64 = 100.0;
/// How soft the edge is when the document does not say, of 10.
const SMOOTHING: f64 = 2.0;
/// How much of the key's light is taken out of what stays when the document does not say.
const SPILL: f64 = 0.5;
/// The distance of colours that the highest sensitivity removes.
const FARTHEST: f32 = 0.3;
/// How far from grey a green screen is that no threshold describes: lit unevenly, and filmed.
const USUAL_STRENGTH: f32 = 0.25;
/// A key nearer to grey has no hue.
const WEAKEST: f32 = 0.04;

/// The key of a green screen.
pub(super) fn key_of(screen: &Greenscreen) -> Key {
    let number = |value: Option<f64>, usual: f64, most: f64| {
        value
            .filter(|value| value.is_finite())
            .unwrap_or(usual)
            .clamp(0.0, most) as f32
    };
    let channel = |value: Option<f64>| number(value, 0.0, 255.0) / 255.0;
    let color = screen.threshold.as_ref().map_or([0.0, 1.0, 0.0], |color| {
        [
            channel(color.red),
            channel(color.green),
            channel(color.blue),
        ]
    });
    let (cb, cr) = chroma(color);
    let own = cb.hypot(cr);
    let strength = match screen.threshold {
        Some(_) => own,
        None => USUAL_STRENGTH,
    };
    Key {
        color,
        toward: (cb / own.max(1e-6), cr / own.max(1e-6)),
        strength,
        is_grey: own < WEAKEST,
        near: number(screen.sensitivity, SENSITIVITY, 255.0) / 255.0 * FARTHEST,
        soft: 0.01 + 0.02 * number(screen.smoothing, SMOOTHING, 10.0),
        spill: number(screen.spill, SPILL, 1.0),
    }
}

fn chroma([red, green, blue]: [f32; 3]) -> (f32, f32) {
    (
        -0.168_736 * red - 0.331_264 * green + 0.5 * blue,
        0.5 * red - 0.418_688 * green - 0.081_312 * blue,
    )
}

#[cfg(test)]
mod tests {
    use kinora_composition::document::Threshold;

    use super::*;
    use crate::gpu::{Gpu, Painter, Sprite};

    const PLAIN: Greenscreen = Greenscreen {
        enabled: true,
        sensitivity: None,
        threshold: None,
        smoothing: None,
        spill: None,
    };

    /// What is left of colours.
    async fn keyed(screen: &Greenscreen, colors: &[[u8; 3]]) -> Vec<[u8; 4]> {
        let gpu = Gpu::open().await.expect("an adapter");
        let pixels: Vec<u8> = colors
            .iter()
            .flat_map(|[r, g, b]| [*r, *g, *b, 255])
            .collect();
        let sprite = Sprite::upload(&gpu, colors.len() as u32, 1, &pixels).expect("a sprite");
        let mut painter = Painter::new(&gpu);
        painter.key(&sprite, &key_of(screen));
        painter.submit();
        let found = sprite.download(&gpu).expect("pixels");
        found
            .chunks_exact(4)
            .map(|pixel| [pixel[0], pixel[1], pixel[2], pixel[3]])
            .collect()
    }

    #[tokio::test]
    async fn screens_vanish_and_subjects_stay() {
        let screens = [[0, 255, 0], [60, 170, 80], [40, 200, 60], [90, 210, 100]];
        for (index, left) in keyed(&PLAIN, &screens).await.into_iter().enumerate() {
            assert!(left[3] < 8, "{:?} became {left:?}", screens[index]);
        }
        let subjects = [
            [220, 170, 140],
            [255, 255, 255],
            [12, 12, 14],
            [128, 128, 128],
            [200, 30, 40],
            [30, 60, 200],
            [250, 215, 20],
        ];
        for (index, left) in keyed(&PLAIN, &subjects).await.into_iter().enumerate() {
            assert_eq!(left[3], 255, "{:?}", subjects[index]);
            let moved = (0..3).map(|c| left[c].abs_diff(subjects[index][c])).max();
            assert!(moved <= Some(2), "{:?} became {left:?}", subjects[index]);
        }
    }

    #[tokio::test]
    async fn green_light_is_taken_out_of_edges_and_of_subjects_as_told() {
        // Half screen, half white shirt; a cheek in green light.
        let mixed = [[128, 227, 140], [190, 190, 140]];
        let [edge, _] = keyed(&PLAIN, &mixed).await[..] else {
            panic!("two pixels");
        };
        assert!(edge[1] <= edge[0].max(edge[2]) + 6, "{edge:?} is green");
        let lit = [[150, 190, 150]];
        let kept = keyed(
            &Greenscreen {
                spill: Some(0.0),
                ..PLAIN
            },
            &lit,
        )
        .await[0];
        let cleaned = keyed(
            &Greenscreen {
                spill: Some(1.0),
                ..PLAIN
            },
            &lit,
        )
        .await[0];
        assert!(kept[3] > 250 && kept[1] >= 186, "{kept:?}");
        assert!(cleaned[1] <= cleaned[0] + 3, "{cleaned:?}");
    }

    #[tokio::test]
    async fn a_threshold_names_the_colour_and_sensitivity_how_much_of_it() {
        let blue = Greenscreen {
            threshold: Some(Threshold {
                red: Some(20.0),
                green: Some(60.0),
                blue: Some(220.0),
            }),
            ..PLAIN
        };
        let found = keyed(&blue, &[[20, 60, 220], [0, 255, 0], [30, 40, 230]]).await;
        assert_eq!([found[0][3], found[1][3], found[2][3]], [0, 255, 0]);
        let alpha = async |sensitivity: f64| {
            let screen = Greenscreen {
                sensitivity: Some(sensitivity),
                smoothing: Some(0.0),
                ..PLAIN
            };
            keyed(&screen, &[[110, 150, 110]]).await[0][3]
        };
        assert_eq!((alpha(10.0).await, alpha(255.0).await), (255, 0));
        let white = Greenscreen {
            threshold: Some(Threshold {
                red: Some(255.0),
                green: Some(255.0),
                blue: Some(255.0),
            }),
            ..PLAIN
        };
        let found = keyed(&white, &[[255, 255, 255], [200, 20, 20]]).await;
        assert_eq!([found[0][3], found[1][3]], [0, 255]);
    }

    #[test]
    fn odd_numbers_make_a_sane_key() {
        let odd = Greenscreen {
            sensitivity: Some(f64::NAN),
            smoothing: Some(-5.0),
            spill: Some(1e300),
            threshold: Some(Threshold {
                red: None,
                green: None,
                blue: Some(f64::INFINITY),
            }),
            ..PLAIN
        };
        let key = key_of(&odd);
        assert!(key.near > 0.0 && key.soft > 0.0 && key.spill == 1.0);
        assert!(key.toward.0.is_finite() && key.toward.1.is_finite());
    }
}
