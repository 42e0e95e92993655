//! Colour spaces and the ways between them, as CSS Color defines them.

/// Where the components of a colour are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::css) enum Space {
    Srgb,
    SrgbLinear,
    DisplayP3,
    DisplayP3Linear,
    A98,
    ProPhoto,
    Rec2020,
    XyzD65,
    XyzD50,
    Lab,
    Lch,
    Oklab,
    Oklch,
    /// Degrees, then percentages.
    Hsl,
    /// Degrees, then percentages.
    Hwb,
}

type Triple = [f64; 3];
type Matrix = [Triple; 3];

const SRGB_TO_XYZ: Matrix = [
    [0.41239079926595934, 0.357584339383878, 0.1804807884018343],
    [0.21263900587151027, 0.715168678767756, 0.07219231536073371],
    [0.01933081871559182, 0.11919477979462598, 0.9505321522496607],
];
const P3_TO_XYZ: Matrix = [
    [0.4865709486482162, 0.26566769316909306, 0.1982172852343625],
    [0.2289745640697488, 0.6917385218365064, 0.079286914093745],
    [0.0, 0.04511338185890264, 1.043944368900976],
];
const A98_TO_XYZ: Matrix = [
    [0.5766690429101305, 0.1855582379065463, 0.1882286462349947],
    [0.29734497525053605, 0.6273635662554661, 0.07529145849399788],
    [0.02703136138641234, 0.07068885253582723, 0.9913375368376388],
];
const PROPHOTO_TO_XYZ_D50: Matrix = [
    [0.7977666449006423, 0.13518129740053308, 0.0313477341283922],
    [0.2880748288194013, 0.711835234241873, 0.00008993693872564],
    [0.0, 0.0, 0.8251046025104602],
];
const REC2020_TO_XYZ: Matrix = [
    [0.6369580483012914, 0.14461690358620832, 0.1688809751641721],
    [0.2627002120112671, 0.6779980715188708, 0.05930171646986196],
    [0.0, 0.028072693049087428, 1.060985057710791],
];
const D50_TO_D65: Matrix = [
    [0.955473421488075, -0.02309845494876471, 0.06325924320057072],
    [
        -0.0283697093338637,
        1.0099953980813041,
        0.021041441191917323,
    ],
    [
        0.012314014864481998,
        -0.020507649298898964,
        1.330365926242124,
    ],
];
const XYZ_TO_LMS: Matrix = [
    [0.819022437996703, 0.3619062600528904, -0.1288737815209879],
    [0.0329836539323885, 0.9292868615863434, 0.0361446663506424],
    [0.0481771893596242, 0.2642395317527308, 0.6335478284694309],
];
const LMS_TO_OKLAB: Matrix = [
    [0.210454268309314, 0.7936177747023054, -0.0040720430116193],
    [1.9779985324311684, -2.42859224204858, 0.450593709617411],
    [0.0259040424655478, 0.7827717124575296, -0.8086757549230774],
];
const D50_WHITE: Triple = [0.3457 / 0.3585, 1.0, (1.0 - 0.3457 - 0.3585) / 0.3585];

/// Chroma below which a hue means nothing.
const GREY: f64 = 1e-4;

impl Space {
    /// The space of that name in `color()` and `color-mix()`.
    pub(super) fn named(name: &str) -> Option<Self> {
        const NAMES: [(&str, Space); 16] = [
            ("srgb", Space::Srgb),
            ("srgb-linear", Space::SrgbLinear),
            ("display-p3", Space::DisplayP3),
            ("display-p3-linear", Space::DisplayP3Linear),
            ("a98-rgb", Space::A98),
            ("prophoto-rgb", Space::ProPhoto),
            ("rec2020", Space::Rec2020),
            ("xyz", Space::XyzD65),
            ("xyz-d65", Space::XyzD65),
            ("xyz-d50", Space::XyzD50),
            ("lab", Space::Lab),
            ("lch", Space::Lch),
            ("oklab", Space::Oklab),
            ("oklch", Space::Oklch),
            ("hsl", Space::Hsl),
            ("hwb", Space::Hwb),
        ];
        NAMES
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, space)| *space)
    }

    /// Which component is an angle.
    pub(super) fn hue(self) -> Option<usize> {
        match self {
            Self::Hsl | Self::Hwb => Some(0),
            Self::Lch | Self::Oklch => Some(2),
            _ => None,
        }
    }

    /// Whether the hue of these components means nothing.
    pub(super) fn is_grey(self, [_, second, third]: Triple) -> bool {
        match self {
            Self::Hsl => second.abs() < GREY * 100.0,
            Self::Hwb => second + third > 100.0 - GREY * 100.0,
            Self::Lch => second.abs() < GREY * 150.0,
            Self::Oklch => second.abs() < GREY * 0.4,
            _ => false,
        }
    }

    /// Components of this space as components of another.
    pub(super) fn convert(self, to: Self, components: Triple) -> Triple {
        if self == to {
            return components;
        }
        // Within sRGB no digits are lost on the way through XYZ.
        let srgb = match self {
            Self::Srgb => Some(components),
            Self::Hsl => Some(hsl_to_srgb(components)),
            Self::Hwb => Some(hwb_to_srgb(components)),
            _ => None,
        };
        match (srgb, to) {
            (Some(srgb), Self::Srgb) => srgb,
            (Some(srgb), Self::Hsl) => srgb_to_hsl(srgb),
            (Some(srgb), Self::Hwb) => srgb_to_hwb(srgb),
            _ => to.of_xyz(self.to_xyz(components)),
        }
    }

    fn to_xyz(self, c: Triple) -> Triple {
        match self {
            Self::Srgb => times(&SRGB_TO_XYZ, c.map(srgb_linear)),
            Self::SrgbLinear => times(&SRGB_TO_XYZ, c),
            Self::DisplayP3 => times(&P3_TO_XYZ, c.map(srgb_linear)),
            Self::DisplayP3Linear => times(&P3_TO_XYZ, c),
            Self::A98 => times(&A98_TO_XYZ, c.map(|c| signed_power(c, 563.0 / 256.0))),
            Self::ProPhoto => {
                let linear = c.map(|c| {
                    if c.abs() <= 16.0 / 512.0 {
                        c / 16.0
                    } else {
                        signed_power(c, 1.8)
                    }
                });
                times(&D50_TO_D65, times(&PROPHOTO_TO_XYZ_D50, linear))
            }
            Self::Rec2020 => times(&REC2020_TO_XYZ, c.map(rec2020_linear)),
            Self::XyzD65 => c,
            Self::XyzD50 => times(&D50_TO_D65, c),
            Self::Lab => times(&D50_TO_D65, lab_to_xyz(c)),
            Self::Lch => Self::Lab.to_xyz(from_polar(c)),
            Self::Oklab => {
                let lms = times(&inverse(&LMS_TO_OKLAB), c).map(|c| c * c * c);
                times(&inverse(&XYZ_TO_LMS), lms)
            }
            Self::Oklch => Self::Oklab.to_xyz(from_polar(c)),
            Self::Hsl => Self::Srgb.to_xyz(hsl_to_srgb(c)),
            Self::Hwb => Self::Srgb.to_xyz(hwb_to_srgb(c)),
        }
    }

    fn of_xyz(self, xyz: Triple) -> Triple {
        match self {
            Self::Srgb => times(&inverse(&SRGB_TO_XYZ), xyz).map(srgb_encoded),
            Self::SrgbLinear => times(&inverse(&SRGB_TO_XYZ), xyz),
            Self::DisplayP3 => times(&inverse(&P3_TO_XYZ), xyz).map(srgb_encoded),
            Self::DisplayP3Linear => times(&inverse(&P3_TO_XYZ), xyz),
            Self::A98 => times(&inverse(&A98_TO_XYZ), xyz).map(|c| signed_power(c, 256.0 / 563.0)),
            Self::ProPhoto => times(&inverse(&PROPHOTO_TO_XYZ_D50), to_d50(xyz)).map(|c| {
                if c.abs() < 1.0 / 512.0 {
                    c * 16.0
                } else {
                    signed_power(c, 1.0 / 1.8)
                }
            }),
            Self::Rec2020 => times(&inverse(&REC2020_TO_XYZ), xyz).map(rec2020_encoded),
            Self::XyzD65 => xyz,
            Self::XyzD50 => to_d50(xyz),
            Self::Lab => xyz_to_lab(to_d50(xyz)),
            Self::Lch => to_polar(xyz_to_lab(to_d50(xyz))),
            Self::Oklab => times(&LMS_TO_OKLAB, times(&XYZ_TO_LMS, xyz).map(f64::cbrt)),
            Self::Oklch => to_polar(Self::Oklab.of_xyz(xyz)),
            Self::Hsl => srgb_to_hsl(Self::Srgb.of_xyz(xyz)),
            Self::Hwb => srgb_to_hwb(Self::Srgb.of_xyz(xyz)),
        }
    }
}

fn to_d50(xyz: Triple) -> Triple {
    times(&inverse(&D50_TO_D65), xyz)
}

fn times(matrix: &Matrix, [x, y, z]: Triple) -> Triple {
    matrix.map(|[a, b, c]| a * x + b * y + c * z)
}

fn inverse(m: &Matrix) -> Matrix {
    let minor = |r: usize, c: usize| {
        let (r1, r2) = ((r + 1) % 3, (r + 2) % 3);
        let (c1, c2) = ((c + 1) % 3, (c + 2) % 3);
        m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1]
    };
    let determinant: f64 = (0..3).map(|c| m[0][c] * minor(0, c)).sum();
    std::array::from_fn(|r| std::array::from_fn(|c| minor(c, r) / determinant))
}

fn signed_power(value: f64, exponent: f64) -> f64 {
    value.abs().powf(exponent).copysign(value)
}

fn srgb_linear(c: f64) -> f64 {
    if c.abs() <= 0.04045 {
        c / 12.92
    } else {
        ((c.abs() + 0.055) / 1.055).powf(2.4).copysign(c)
    }
}

fn srgb_encoded(c: f64) -> f64 {
    if c.abs() <= 0.0031308 {
        c * 12.92
    } else {
        (1.055 * c.abs().powf(1.0 / 2.4) - 0.055).copysign(c)
    }
}

const REC2020_ALPHA: f64 = 1.09929682680944;
const REC2020_BETA: f64 = 0.018053968510807;

fn rec2020_linear(c: f64) -> f64 {
    if c.abs() < REC2020_BETA * 4.5 {
        c / 4.5
    } else {
        ((c.abs() + REC2020_ALPHA - 1.0) / REC2020_ALPHA)
            .powf(1.0 / 0.45)
            .copysign(c)
    }
}

fn rec2020_encoded(c: f64) -> f64 {
    if c.abs() < REC2020_BETA {
        c * 4.5
    } else {
        (REC2020_ALPHA * c.abs().powf(0.45) - (REC2020_ALPHA - 1.0)).copysign(c)
    }
}

const LAB_KAPPA: f64 = 24389.0 / 27.0;
const LAB_EPSILON: f64 = 216.0 / 24389.0;

fn lab_to_xyz([lightness, a, b]: Triple) -> Triple {
    let middle = (lightness + 16.0) / 116.0;
    let cube = |f: f64| {
        if f.powi(3) > LAB_EPSILON {
            f.powi(3)
        } else {
            (116.0 * f - 16.0) / LAB_KAPPA
        }
    };
    let y = if lightness > LAB_KAPPA * LAB_EPSILON {
        middle.powi(3)
    } else {
        lightness / LAB_KAPPA
    };
    let [wx, wy, wz] = D50_WHITE;
    [
        cube(middle + a / 500.0) * wx,
        y * wy,
        cube(middle - b / 200.0) * wz,
    ]
}

fn xyz_to_lab(xyz: Triple) -> Triple {
    let root = |value: f64| {
        if value > LAB_EPSILON {
            value.cbrt()
        } else {
            (LAB_KAPPA * value + 16.0) / 116.0
        }
    };
    let [x, y, z] = std::array::from_fn(|index| root(xyz[index] / D50_WHITE[index]));
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

fn from_polar([lightness, chroma, hue]: Triple) -> Triple {
    let (sin, cos) = hue.to_radians().sin_cos();
    [lightness, chroma * cos, chroma * sin]
}

fn to_polar([lightness, a, b]: Triple) -> Triple {
    let hue = b.atan2(a).to_degrees().rem_euclid(360.0);
    [lightness, a.hypot(b), hue]
}

fn hsl_to_srgb([hue, saturation, lightness]: Triple) -> Triple {
    let (saturation, lightness) = (saturation / 100.0, lightness / 100.0);
    let reach = saturation * lightness.min(1.0 - lightness);
    [0.0, 8.0, 4.0].map(|offset: f64| {
        let k = (offset + hue / 30.0).rem_euclid(12.0);
        lightness - reach * (k - 3.0).min(9.0 - k).clamp(-1.0, 1.0)
    })
}

fn srgb_to_hsl([r, g, b]: Triple) -> Triple {
    let (most, least) = (r.max(g).max(b), r.min(g).min(b));
    let (span, lightness) = (most - least, (most + least) / 2.0);
    if span == 0.0 {
        return [0.0, 0.0, lightness * 100.0];
    }
    let room = lightness.min(1.0 - lightness);
    let mut saturation = if room == 0.0 {
        0.0
    } else {
        (most - lightness) / room
    };
    let mut hue = if most == r {
        (g - b) / span + if g < b { 6.0 } else { 0.0 }
    } else if most == g {
        (b - r) / span + 2.0
    } else {
        (r - g) / span + 4.0
    } * 60.0;
    // Colours outside of sRGB would have a negative saturation.
    if saturation < 0.0 {
        hue += 180.0;
        saturation = -saturation;
    }
    [hue.rem_euclid(360.0), saturation * 100.0, lightness * 100.0]
}

fn hwb_to_srgb([hue, white, black]: Triple) -> Triple {
    let (white, black) = (white / 100.0, black / 100.0);
    if white + black >= 1.0 {
        return [white / (white + black); 3];
    }
    hsl_to_srgb([hue, 100.0, 50.0]).map(|c| c * (1.0 - white - black) + white)
}

fn srgb_to_hwb(srgb: Triple) -> Triple {
    let [r, g, b] = srgb;
    let [hue, ..] = srgb_to_hsl(srgb);
    let (white, black) = (r.min(g).min(b), 1.0 - r.max(g).max(b));
    [hue, white * 100.0, black * 100.0]
}
