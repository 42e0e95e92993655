//! Draws laid-out text into sprites.

use glyphon::{
    Cache, ColorMode, Resolution, SwashCache, TextArea, TextAtlas, TextBounds, TextRenderer,
    Viewport,
};

use kinora_composition::css::Color;

use super::{FontBook, TextLayout};
use crate::gpu::{Gpu, Sprite};
use crate::{Context, Result};

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// Fonts, and the glyphs drawn so far.
pub struct Typesetter {
    /// The fonts.
    pub fonts: FontBook,
    glyphs: SwashCache,
    atlas: TextAtlas,
    viewport: Viewport,
    renderer: TextRenderer,
}

/// Text at a place of a sprite, in a colour.
pub struct PlacedText<'a> {
    /// The lines.
    pub layout: &'a TextLayout,
    /// Where their top left corner lies.
    pub at: (f32, f32),
    /// Their fill.
    pub color: Color,
}

impl Typesetter {
    /// A typesetter for one device.
    pub fn new(gpu: &Gpu, fonts: FontBook) -> Self {
        let cache = Cache::new(gpu.device());
        // Colours are blended as they are encoded, as browsers do.
        let mut atlas =
            TextAtlas::with_color_mode(gpu.device(), gpu.queue(), &cache, FORMAT, ColorMode::Web);
        let viewport = Viewport::new(gpu.device(), &cache);
        let renderer = TextRenderer::new(
            &mut atlas,
            gpu.device(),
            wgpu::MultisampleState::default(),
            None,
        );
        Self {
            fonts,
            glyphs: SwashCache::new(),
            atlas,
            viewport,
            renderer,
        }
    }

    /// Draws texts into a transparent sprite.
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        texts: &[PlacedText<'_>],
        (width, height): (u32, u32),
    ) -> Result<Sprite> {
        self.viewport
            .update(gpu.queue(), Resolution { width, height });
        let bounds = TextBounds {
            left: 0,
            top: 0,
            right: width as i32,
            bottom: height as i32,
        };
        let areas = texts.iter().map(|text| {
            let [r, g, b, a] = text.color.to_bytes();
            TextArea {
                buffer: &text.layout.buffer,
                left: text.at.0,
                top: text.at.1,
                scale: 1.0,
                bounds,
                default_color: glyphon::Color::rgba(r, g, b, a),
                custom_glyphs: &[],
            }
        });
        self.renderer
            .prepare(
                gpu.device(),
                gpu.queue(),
                &mut self.fonts.system,
                &mut self.atlas,
                &self.viewport,
                areas,
                &mut self.glyphs,
            )
            .context("text could not be drawn")?;
        let texture = gpu.device().create_texture(&wgpu::TextureDescriptor {
            label: Some("text"),
            size: wgpu::Extent3d {
                width,
                height,
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut encoder = gpu
            .device()
            .create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("text"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..Default::default()
            });
            self.renderer
                .render(&self.atlas, &self.viewport, &mut pass)
                .context("text could not be drawn")?;
        }
        gpu.queue().submit([encoder.finish()]);
        self.atlas.trim();
        Sprite::from_texture(gpu, &texture)
    }
}
