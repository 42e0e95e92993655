//! What drawing an SVG picture would take, found out without drawing it.

use resvg::tiny_skia::Transform;
use resvg::usvg::filter::{Filter, Kind};
use resvg::usvg::{
    ClipPath, Group, Image, ImageKind, Mask, Node, Paint, Path, Pattern, Rect, Tree,
};

/// Pixels that may be written or read, over and over again.
const MOST_WORK: f64 = 2e9;
/// Bytes of unfinished pictures at a time.
const MOST_HELD: f64 = 768e6;
/// Groups inside groups, patterns and masks.
const DEEPEST: u32 = 250;
/// How far beyond the canvas layers reach: this many canvases in each direction.
const REACH: f64 = 2.0;
/// What decoding one pixel of a picture inside costs, in pixels drawn.
const DECODING: f64 = 8.0;
/// What one dash of a line costs, in pixels drawn.
const DASH: f64 = 50.0;
/// Lines are not dashed beyond this.
const MOST_DASHES: f64 = 1e6;

/// More than can be drawn in reasonable time and memory.
#[derive(Debug)]
pub(super) struct TooCostly;

/// Refuses pictures that would take too much to draw on a canvas of this size.
pub(super) fn check(
    tree: &Tree,
    to_pixels: Transform,
    (width, height): (u32, u32),
) -> Result<(), TooCostly> {
    let mut estimate = Estimate {
        work: 0.0,
        canvas: (f64::from(width), f64::from(height)),
    };
    estimate.children(tree.root(), to_pixels, Held::default())
}

struct Estimate {
    work: f64,
    canvas: (f64, f64),
}

/// What is held while something is drawn.
#[derive(Clone, Copy, Default)]
struct Held {
    bytes: f64,
    depth: u32,
}

impl Held {
    /// With so many more pictures of so many pixels.
    fn with(self, pictures: f64, pixels: f64) -> Result<Self, TooCostly> {
        let bytes = self.bytes + pictures * pixels * 4.0;
        let depth = self.depth + 1;
        if bytes > MOST_HELD || depth > DEEPEST {
            return Err(TooCostly);
        }
        Ok(Self { bytes, depth })
    }
}

impl Estimate {
    fn spend(&mut self, work: f64) -> Result<(), TooCostly> {
        // What is not a number is too much as well.
        self.work += work.max(0.0);
        if self.work <= MOST_WORK {
            Ok(())
        } else {
            Err(TooCostly)
        }
    }

    fn children(&mut self, group: &Group, at: Transform, held: Held) -> Result<(), TooCostly> {
        for node in group.children() {
            self.spend(1.0)?;
            match node {
                Node::Group(group) => self.group(group, at, held)?,
                Node::Path(path) => self.path(path, at, held)?,
                Node::Image(image) => self.image(image, at, held)?,
                Node::Text(text) => self.group(text.flattened(), at, held)?,
            }
        }
        Ok(())
    }

    fn group(&mut self, group: &Group, at: Transform, held: Held) -> Result<(), TooCostly> {
        let at = at.pre_concat(group.transform());
        if !group.should_isolate() {
            return self.children(group, at, held.with(0.0, 0.0)?);
        }
        let pixels = self.pixels(group.layer_bounding_box().to_rect(), at);
        let held = held.with(1.0, pixels)?;
        self.spend(2.0 * pixels)?;
        self.children(group, at, held)?;
        for filter in group.filters() {
            self.filter(filter, at, pixels, held)?;
        }
        if let Some(clip) = group.clip_path() {
            self.clip(clip, at, pixels, held)?;
        }
        if let Some(mask) = group.mask() {
            self.mask(mask, at, pixels, held)?;
        }
        Ok(())
    }

    fn clip(
        &mut self,
        clip: &ClipPath,
        at: Transform,
        pixels: f64,
        held: Held,
    ) -> Result<(), TooCostly> {
        let held = held.with(1.25, pixels)?;
        self.spend(3.0 * pixels)?;
        self.children(clip.root(), at.pre_concat(clip.transform()), held)?;
        match clip.clip_path() {
            Some(inner) => self.clip(inner, at, pixels, held),
            None => Ok(()),
        }
    }

    fn mask(
        &mut self,
        mask: &Mask,
        at: Transform,
        pixels: f64,
        held: Held,
    ) -> Result<(), TooCostly> {
        let held = held.with(1.5, pixels)?;
        self.spend(4.0 * pixels)?;
        self.children(mask.root(), at, held)?;
        match mask.mask() {
            Some(inner) => self.mask(inner, at, pixels, held),
            None => Ok(()),
        }
    }

    fn filter(
        &mut self,
        filter: &Filter,
        at: Transform,
        pixels: f64,
        held: Held,
    ) -> Result<(), TooCostly> {
        // The result of every step is kept to the end.
        let held = held.with(filter.primitives().len() as f64 + 2.0, pixels)?;
        for step in filter.primitives() {
            let each = match step.kind() {
                Kind::Morphology(step) => {
                    let (across, down) = at.get_scale();
                    let side = |radius: f32, scale: f32, most: f64| {
                        (2.0 * f64::from(radius * scale) + 1.0).min(most * (2.0 * REACH + 1.0))
                    };
                    side(step.radius_x().get(), across, self.canvas.0)
                        * side(step.radius_y().get(), down, self.canvas.1)
                }
                Kind::ConvolveMatrix(step) => {
                    f64::from(step.matrix().columns()) * f64::from(step.matrix().rows())
                }
                Kind::Turbulence(step) => 20.0 * f64::from(step.num_octaves().max(1)),
                Kind::Merge(step) => step.inputs().len() as f64,
                Kind::GaussianBlur(_) | Kind::DropShadow(_) => 16.0,
                Kind::DiffuseLighting(_) | Kind::SpecularLighting(_) => 16.0,
                Kind::Image(step) => {
                    self.children(step.root(), at, held)?;
                    4.0
                }
                _ => 6.0,
            };
            self.spend(each * pixels)?;
        }
        Ok(())
    }

    fn path(&mut self, path: &Path, at: Transform, held: Held) -> Result<(), TooCostly> {
        if !path.is_visible() {
            return Ok(());
        }
        let pixels = self.pixels(path.stroke_bounding_box(), at);
        self.spend(pixels + path.data().len() as f64)?;
        if let Some(fill) = path.fill() {
            self.paint(fill.paint(), at, held)?;
        }
        if let Some(stroke) = path.stroke() {
            self.paint(stroke.paint(), at, held)?;
            if let Some(dashes) = stroke.dasharray() {
                let pattern: f64 = dashes.iter().copied().map(f64::from).sum();
                let count = length(path) / pattern * dashes.len() as f64;
                self.spend(count.min(MOST_DASHES) * DASH)?;
            }
        }
        Ok(())
    }

    fn paint(&mut self, paint: &Paint, at: Transform, held: Held) -> Result<(), TooCostly> {
        match paint {
            Paint::Pattern(pattern) => self.pattern(pattern, at, held),
            _ => Ok(()),
        }
    }

    fn pattern(&mut self, pattern: &Pattern, at: Transform, held: Held) -> Result<(), TooCostly> {
        let (across, down) = at.pre_concat(pattern.transform()).get_scale();
        let tile = pattern.rect();
        let width = f64::from(tile.width()) * f64::from(across);
        let height = f64::from(tile.height()) * f64::from(down);
        let held = held.with(1.0, width * height)?;
        self.spend(width * height)?;
        self.children(pattern.root(), Transform::from_scale(across, down), held)
    }

    fn image(&mut self, image: &Image, at: Transform, held: Held) -> Result<(), TooCostly> {
        if !image.is_visible() {
            return Ok(());
        }
        let shown = self.pixels(image.bounding_box(), at);
        match image.kind() {
            ImageKind::SVG(tree) => {
                let canvas = self.canvas.0 * self.canvas.1;
                let held = held.with(1.0, canvas)?;
                self.spend(2.0 * canvas)?;
                self.children(tree.root(), at, held)
            }
            _ => {
                let own = f64::from(image.size().width()) * f64::from(image.size().height());
                held.with(2.0, own)?;
                self.spend(shown + own * DECODING)
            }
        }
    }

    /// Pixels that a box covers on the canvas or near it.
    fn pixels(&self, of: Rect, at: Transform) -> f64 {
        let Some(seen) = of.transform(at) else {
            return 0.0;
        };
        let side = |from: f32, to: f32, canvas: f64| {
            let low = f64::from(from).max(-REACH * canvas);
            let high = f64::from(to).min((1.0 + REACH) * canvas);
            (high - low + 4.0).max(0.0)
        };
        side(seen.left(), seen.right(), self.canvas.0)
            * side(seen.top(), seen.bottom(), self.canvas.1)
    }
}

/// How long an outline is at most.
fn length(path: &Path) -> f64 {
    path.data()
        .points()
        .windows(2)
        .map(|ends| f64::from((ends[1] - ends[0]).length()))
        .sum()
}
