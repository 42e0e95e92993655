//! `kinora doctor`: can this machine render, and if not, what is missing.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use kinora_composition::request;
use kinora_controller::admin::Admin;
use kinora_node::Engine;
use kinora_node::encode::{Encoders, NvidiaLibraries};
use kinora_node::gpu::{Gpu, check_sharing};
use kinora_node::media::video_engine;
use kinora_node::text::{FontBook, find_font_folder};
use object_store::{ObjectStore, ObjectStoreExt};
use rand::distr::{Alphanumeric, SampleString};

use crate::arguments::{DataFolder, EngineArgs};
use crate::database::DatabaseArgs;
use crate::store::StoreArgs;
use crate::terminal;

/// Something that touches text, a shape and the whole way to a picture.
const TEST_SCENE: &str = r##"{"width": 64, "height": 64, "durationInFrames": 1, "overlays": [
    {"id": 1, "type": "text", "content": "ok", "from": 0, "durationInFrames": 1, "row": 0,
     "left": 0, "top": 0, "width": 64, "height": 32},
    {"id": 2, "type": "shape", "content": "circle", "from": 0, "durationInFrames": 1, "row": 1,
     "left": 0, "top": 32, "width": 64, "height": 32, "styles": {"fill": "#3366ff"}}]}"##;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    data: DataFolder,
    #[command(flatten)]
    database: DatabaseArgs,
    #[command(flatten)]
    store: StoreArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

/// The findings so far, printed as they come.
#[derive(Default)]
struct Report {
    broken: bool,
}

impl Report {
    fn good(&self, what: &str, finding: impl std::fmt::Display) {
        terminal::line(format_args!("✓ {what}: {finding}"));
    }

    /// Worth knowing, but one can render without it.
    fn absent(&self, what: &str, reason: impl std::fmt::Display) {
        terminal::line(format_args!("– {what}: {reason}"));
    }

    fn bad(&mut self, what: &str, reason: impl std::fmt::Display) {
        self.broken = true;
        terminal::line(format_args!("✗ {what}: {reason}"));
    }
}

pub(crate) async fn run(args: Args) -> anyhow::Result<ExitCode> {
    let mut report = Report::default();
    check_engine(&mut report, &args.engine).await;
    check_database(&mut report, &args.database, &args.data).await;
    check_store(&mut report, &args.store, &args.data).await;
    if report.broken {
        terminal::line("This machine can't render yet; see the lines with ✗.");
        return Ok(ExitCode::FAILURE);
    }
    terminal::line("This machine can render.");
    Ok(ExitCode::SUCCESS)
}

async fn check_engine(report: &mut Report, args: &EngineArgs) {
    let gpu = Gpu::open().await;
    match &gpu {
        Ok(gpu) => report.good("adapter", gpu.describe()),
        Err(error) => report.bad("adapter", error),
    }
    let encoders = Encoders::new(gpu.as_ref().ok().and_then(Gpu::uuid));
    let encoders = encoders.probe();
    for encoder in encoders {
        let what = format!("encoder {}", encoder.name);
        if encoder.usable {
            report.good(&what, &encoder.reason);
        } else {
            report.absent(&what, &encoder.reason);
        }
    }
    if !encoders.iter().any(|encoder| encoder.usable) {
        report.bad(
            "encoder",
            "none works; install an FFmpeg with libx264, as Debian's libavcodec is",
        );
    }
    if let Ok(gpu) = &gpu {
        match check_sharing(gpu, &NvidiaLibraries::default()) {
            Ok(seen) => report.good("frames on the GPU", seen),
            Err(reason) => report.absent("frames on the GPU", reason),
        }
    }
    match video_engine().filter(|_| args.hardware_decoding()) {
        Some(name) => report.good("video decoder", format!("{name}, else the processors")),
        None if !args.hardware_decoding() => {
            report.absent("video decoder", "the processors; KINORA_HW_DECODE is off");
        }
        None => report.absent(
            "video decoder",
            "the processors; no NVDEC or VA-API is here",
        ),
    }
    match find_font_folder(args.fonts()).and_then(|folder| FontBook::open(&folder)) {
        Ok(book) => report.good("fonts", describe_fonts(&book)),
        Err(error) => report.bad("fonts", error),
    }
    match draw_test_frame(args).await {
        Ok(()) => report.good("test frame", "drawn"),
        Err(error) => report.bad("test frame", format!("{error:#}")),
    }
}

/// Folder and families; those of single scripts are many, and only counted.
fn describe_fonts(book: &FontBook) -> String {
    let of_script =
        |name: &&String| name.starts_with("Noto Sans ") || name.starts_with("Noto Serif ");
    let (scripts, named): (Vec<_>, Vec<_>) = book.families().iter().partition(of_script);
    let named: Vec<_> = named.into_iter().map(String::as_str).collect();
    format!(
        "{}: {}, and {} for single scripts",
        book.folder().display(),
        named.join(", "),
        scripts.len()
    )
}

async fn draw_test_frame(args: &EngineArgs) -> anyhow::Result<()> {
    let scene = Arc::new(request::read_file(TEST_SCENE.as_bytes())?);
    let (config, _cache) = args.config(false, None, None)?;
    let folder = tempfile::tempdir()?;
    let picture = folder.path().join("frame.png");
    Engine::start(config)
        .await?
        .frame_png(&scene, 0, &picture)
        .await?;
    Ok(())
}

async fn check_database(report: &mut Report, args: &DatabaseArgs, data: &DataFolder) {
    let file = data.database_file();
    if args.database_url.is_none() && !file.exists() {
        match can_be_created(&data.data) {
            Ok(()) => report.good(
                "database",
                format!("none yet; {} will be created", file.display()),
            ),
            Err(error) => report.bad("database", error),
        }
        return;
    }
    let url = match args.url(data) {
        Ok(url) => url,
        Err(error) => return report.bad("database", format!("{error:#}")),
    };
    match Admin::connect(&url).await {
        Ok(admin) => {
            let what = match &args.database_url {
                Some(_) => "the configured one answers".to_owned(),
                None => file.display().to_string(),
            };
            report.good("database", what);
            admin.close().await;
        }
        Err(error) => report.bad("database", error),
    }
}

async fn check_store(report: &mut Report, args: &StoreArgs, data: &DataFolder) {
    let described = args.describe(data);
    if args.store_url.is_none() && !data.objects().exists() {
        match can_be_created(&data.data) {
            Ok(()) => report.good("store", format!("none yet; {described} will be created")),
            Err(error) => report.bad("store", error),
        }
        return;
    }
    let tried = match args.open(data) {
        Ok(store) => write_and_delete(store.as_ref()).await,
        Err(error) => Err(error),
    };
    match tried {
        Ok(()) => report.good("store", described),
        Err(error) => report.bad("store", format!("{described}: {error:#}")),
    }
}

async fn write_and_delete(store: &dyn ObjectStore) -> anyhow::Result<()> {
    let name = Alphanumeric.sample_string(&mut rand::rng(), 16);
    let key = object_store::path::Path::from(format!("doctor/{name}"));
    store.put(&key, b"ok".to_vec().into()).await?;
    store.delete(&key).await?;
    Ok(())
}

/// Whether a folder could be made here, without making it.
fn can_be_created(folder: &Path) -> Result<(), String> {
    let absolute = std::path::absolute(folder).map_err(|error| error.to_string())?;
    let existing = absolute.ancestors().find(|parent| parent.exists());
    let Some(existing) = existing else {
        return Err(format!("{} has no parent folder", folder.display()));
    };
    match tempfile::tempfile_in(existing) {
        Ok(_) => Ok(()),
        Err(error) => Err(format!(
            "{} can't be written ({error}); change its owner or choose another folder with --data",
            existing.display()
        )),
    }
}
