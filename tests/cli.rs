//! The command line: tools, messages, exit codes.

use std::net::TcpListener;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::farm::command::{kinora, run, said};
use crate::farm::scene::{HEIGHT, WIDTH, composition, overlay, plain};
use crate::farm::{TestFarm, media, video};

fn folder_with(scene: &Value) -> (TempDir, String, String) {
    let folder = tempfile::tempdir().expect("temp folder");
    let file = folder.path().join("scene.json");
    std::fs::write(&file, scene.to_string()).expect("write");
    let out = folder.path().join("out.mp4");
    (
        folder,
        file.display().to_string(),
        out.display().to_string(),
    )
}

#[test]
fn accounts_and_keys_are_made_and_print_one_json_object() {
    let folder = tempfile::tempdir().expect("temp folder");
    let data = folder.path().display().to_string();
    let email = ["--email", "ada@example.com", "--data", &data, "--json"];
    let with = |words: &[&str]| run(words.iter().chain(&email));

    let account = with(&["account", "create", "--name", "Ada", "--credits", "5"]).json();
    assert_eq!(account["email"], "ada@example.com");
    assert_eq!(account["credits"], 5);
    let credited = with(&["account", "credit", "--credits", "7"]).json();
    assert_eq!(credited["credits"], 12);
    let key = with(&["key", "create"]).json();
    let text = key["key"].as_str().expect("key");
    assert!(text.starts_with("rnd_"), "{key}");
    assert!(
        text.starts_with(key["prefix"].as_str().expect("prefix")),
        "{key}"
    );
    let id = key["id"].as_str().expect("id");
    assert_eq!(
        with(&["key", "revoke", "--key", id]).json()["revoked"],
        true
    );
    with(&["key", "revoke", "--key", id]).failed_with(&["no such key"]);
    with(&["account", "create"]).failed_with(&["already", "ada@example.com"]);

    let database = std::fs::read(folder.path().join("kinora.db")).expect("database");
    let found = database
        .windows(text.len())
        .any(|window| window == text.as_bytes());
    assert!(!found, "the key stands in the database");
}

#[test]
fn a_key_for_nobody_or_without_a_database_is_refused_in_one_line() {
    let folder = tempfile::tempdir().expect("temp folder");
    let data = folder.path().display().to_string();
    let create = [
        "key",
        "create",
        "--email",
        "ada@example.com",
        "--data",
        &data,
    ];
    run(create).failed_with(&["there is no database", "--data"]);
    run([
        "account",
        "create",
        "--email",
        "bob@example.com",
        "--data",
        &data,
    ])
    .succeeded();
    run(create).failed_with(&["ada@example.com"]);
}

#[test]
fn a_composition_file_with_relative_media_is_rendered_here() {
    let (folder, file, out) = folder_with(&composition(
        60,
        &[
            overlay(
                60,
                [0, 0, 160, 90],
                json!({"type": "image", "src": "halves.png"}),
            ),
            overlay(
                60,
                [160, 90, 160, 90],
                json!({"type": "video", "src": "media/clip.mp4"}),
            ),
        ],
    ));
    std::fs::create_dir(folder.path().join("media")).expect("folder");
    for (from, to) in [("halves.png", "halves.png"), ("clip.mp4", "media/clip.mp4")] {
        std::fs::copy(media::folder().join(from), folder.path().join(to)).expect("copy");
    }
    let said = run(["render", &file, "-o", &out]).succeeded();
    assert!(said.contains("60 frames"), "{said}");
    let probed = video::probe(out.as_ref());
    assert_eq!(video::stream(&probed, "video")["nb_read_frames"], "60");
    assert_eq!(video::stream(&probed, "audio")["codec_name"], "aac");
    let first = video::Picture::of_video(out.as_ref(), 0, WIDTH);
    first.shows(40, 45, [0, 255, 0]);
    first.shows(120, 45, [255, 255, 0]);
    first.shows(240, 135, [255, 0, 0]);
    video::Picture::of_video(out.as_ref(), 45, WIDTH).shows(240, 135, [0, 0, 255]);
    let left: Vec<_> = std::fs::read_dir(folder.path()).expect("list").collect();
    assert_eq!(left.len(), 4, "temporary files are gone: {left:?}");

    run(["render", &file, "-o", &out, "--frames", "30..45"]).succeeded();
    assert_eq!(video::frame_count(out.as_ref()), 15);
    video::Picture::of_video(out.as_ref(), 0, WIDTH).shows(240, 135, [0, 0, 255]);
    run(["render", &file, "-o", &out, "--frames", "30..61"]).failed_with(&["60 frames"]);

    run(["render", &file, "-o", &out, "--codec", "hevc"]).succeeded();
    let probed = video::probe(out.as_ref());
    let pictures = video::stream(&probed, "video");
    assert_eq!(pictures["codec_name"], "hevc");
    assert_eq!(pictures["codec_tag_string"], "hvc1");
    assert_eq!(pictures["nb_read_frames"], "60");
    video::Picture::of_video(out.as_ref(), 45, WIDTH).shows(240, 135, [0, 0, 255]);
}

#[test]
fn one_frame_becomes_a_picture() {
    let mut scene = plain(30);
    scene["overlays"][0]["from"] = 10.into();
    let (folder, file, _) = folder_with(&json!({"inputProps": scene}));
    let out = folder.path().join("frame.png");
    let name = out.display().to_string();
    for (frame, colour) in [("9", [16, 32, 48]), ("10", [255, 0, 0])] {
        run(["frame", &file, "--frame", frame, "-o", &name]).succeeded();
        let picture = video::Picture::of_image(&out, WIDTH);
        assert_eq!(picture.at(80, 80), colour, "frame {frame}");
        assert_eq!(picture.at(WIDTH - 1, HEIGHT - 1), [16, 32, 48]);
    }
    run(["frame", &file, "--frame", "30", "-o", &name]).failed_with(&["30 frames", "--frame 29"]);
}

#[test]
fn bad_files_are_refused_in_one_line() {
    let (folder, file, out) = folder_with(&json!({"overlays": []}));
    run(["render", &file, "-o", &out]).failed_with(&["durationInFrames"]);
    run(["render", "no-such-file.json", "-o", &out]).failed_with(&["no-such-file.json"]);
    let nowhere = folder.path().join("no/such/folder/out.mp4");
    let (_other, good, _) = folder_with(&plain(30));
    run(["render", &good, "-o", &nowhere.display().to_string()]).failed_with(&["can't write into"]);
    let missing = json!({"type": "image", "src": "gone.png", "name": "logo"});
    let scene = composition(30, &[overlay(30, [0, 0, 10, 10], missing)]);
    let (_third, file, out) = folder_with(&scene);
    run(["render", &file, "-o", &out]).failed_with(&["gone.png"]);
    assert!(!std::path::Path::new(&out).exists());
}

#[test]
fn the_doctor_finds_that_this_machine_can_render() {
    let folder = tempfile::tempdir().expect("temp folder");
    let data = folder.path().join("data").display().to_string();
    let report = run(["doctor", "--data", &data]).succeeded();
    for what in [
        "adapter",
        "encoder x264",
        "frames on the GPU",
        "fonts",
        "database",
        "store",
        "Inter",
    ] {
        assert!(report.contains(what), "{what} is not in\n{report}");
    }
    assert!(report.contains('✓'), "{report}");
    assert!(
        !folder.path().join("data").exists(),
        "the doctor changes nothing"
    );
}

#[test]
fn the_doctor_fails_when_something_needed_is_missing() {
    let folder = tempfile::tempdir().expect("temp folder");
    let data = folder.path().display().to_string();
    let database = "postgres://nobody@127.0.0.1:1/none";
    let said = run(["doctor", "--data", &data, "--database-url", database]);
    assert_eq!(said.code, Some(1), "{}", said.stdout);
    let line = said
        .stdout
        .lines()
        .find(|line| line.contains("database"))
        .expect("a line");
    assert!(line.starts_with('✗'), "{line}");
    let fonts = folder.path().join("no-fonts").display().to_string();
    let said = run(["doctor", "--data", &data, "--fonts", &fonts]);
    assert_eq!(said.code, Some(1), "{}", said.stdout);
}

#[test]
fn a_service_that_cannot_start_says_what_to_do() {
    let folder = tempfile::tempdir().expect("temp folder");
    let data = folder.path().display().to_string();
    let taken = TcpListener::bind("127.0.0.1:0").expect("bind");
    let address = taken.local_addr().expect("address").to_string();
    for role in ["serve", "gateway", "controller"] {
        let said = run([role, "--listen", &address, "--data", &data]);
        said.failed_with(&[&address, "another program uses it", "--listen"]);
    }
    let file = folder.path().join("file");
    std::fs::write(&file, "not a folder").expect("write");
    let below = file.join("data").display().to_string();
    run(["serve", "--listen", "127.0.0.1:0", "--data", &below]).failed_with(&[&below, "folder"]);
    run(["serve", "--listen", "127.0.0.1:0", "--data", "/proc/kinora"])
        .failed_with(&["/proc/kinora"]);
    let mut down = kinora();
    down.args([
        "controller",
        "--listen",
        "127.0.0.1:0",
        "--status-listen",
        "127.0.0.1:0",
    ])
    .args(["--data", &data])
    .args([
        "--database-url",
        "postgres://kinora:secret@127.0.0.1:1/kinora",
    ]);
    let said = said(&mut down);
    said.failed_with(&["database"]);
    assert!(!said.stderr.contains("secret"), "{}", said.stderr);
    run([
        "gateway",
        "--listen",
        "127.0.0.1:0",
        "--data",
        &data,
        "--controller",
        "nonsense",
    ])
    .failed_with(&["nonsense", "http://127.0.0.1:7070"]);
}

#[test]
fn help_and_version_are_there_and_mistakes_are_usage_errors() {
    let help = run(["--help"]).succeeded();
    for command in [
        "serve",
        "gateway",
        "controller",
        "node",
        "render",
        "frame",
        "doctor",
    ] {
        assert!(help.contains(command), "{command} is not in\n{help}");
    }
    assert!(run(["--version"]).succeeded().starts_with("kinora "));
    assert_eq!(run(["fly"]).code, Some(2));
    assert_eq!(
        run(["render", "x.json", "-o", "y.mp4", "--frames", "5..2"]).code,
        Some(2)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn logs_can_be_json_and_name_job_and_task() {
    let folder = tempfile::tempdir().expect("temp folder");
    let variables = [("KINORA_LOG_FORMAT", "json"), ("RUST_LOG", "info")];
    let farm = TestFarm::serve_with(folder.path(), &variables);
    let job_id = farm.api.start(&plain(30)).await;
    farm.api.follow(&job_id).await.completed();
    let log = farm.front.log();
    let lines: Vec<Value> = log
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let of_task = lines.iter().map(Value::to_string);
    let of_task = of_task.filter(|line| line.contains(&job_id) && line.contains("task_id"));
    assert!(of_task.count() > 0, "{log}");
}

#[test]
fn a_data_folder_is_served_by_one_process() {
    let folder = tempfile::tempdir().expect("temp folder");
    let _first = TestFarm::serve_in(folder.path());
    let data = folder.path().display().to_string();
    run(["serve", "--listen", "127.0.0.1:0", "--data", &data])
        .failed_with(&["another kinora serve"]);
}
