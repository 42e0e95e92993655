//! Pictures and a page to look at: reference, ours and their difference, worst first.

use std::fmt::Write;
use std::path::Path;

use anyhow::Context;

use crate::picture::Picture;
use crate::verdict::Judged;

const HEAD: &str = include_str!("report.html");

/// Writes `out/KEY.{expected,actual,difference}.png` and `out/KEY.png`, which shows them side by side.
pub fn write_evidence(key: &str, references: &Path, got: &Path, out: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(out)?;
    let file = format!("{key}.png");
    let actual = Picture::open(&got.join(&file))?;
    actual.save(&out.join(format!("{key}.actual.png")))?;
    let expected = Picture::open(&references.join(&file))?;
    expected.save(&out.join(format!("{key}.expected.png")))?;
    let difference = expected.difference(&actual)?;
    difference.save(&out.join(format!("{key}.difference.png")))?;
    Picture::side_by_side(&[&expected, &actual, &difference]).save(&out.join(file))
}

/// Writes `out/index.html`, and the pictures that it shows.
pub fn write_report(
    frames: &[Judged],
    references: &Path,
    got: &Path,
    out: &Path,
) -> anyhow::Result<()> {
    let mut frames: Vec<_> = frames.iter().collect();
    frames.sort_by(|a, b| b.multiple().total_cmp(&a.multiple()));
    let counted: Vec<_> = frames.iter().filter(|frame| !frame.is_advisory()).collect();
    let met = counted.iter().filter(|frame| frame.is_met()).count();
    let mut page = HEAD.replace("{{met}}", &met.to_string());
    page = page.replace("{{frames}}", &counted.len().to_string());
    for frame in &frames {
        // A frame without a picture is in the list with what was wrong.
        let has_pictures = write_evidence(&frame.key, references, got, out).is_ok();
        row(&mut page, frame, has_pictures).context("a string can't be written to")?;
    }
    page.push_str("</table></body></html>\n");
    let file = out.join("index.html");
    std::fs::create_dir_all(out)?;
    std::fs::write(&file, page).with_context(|| format!("can't write {}", file.display()))
}

fn row(page: &mut String, frame: &Judged, has_pictures: bool) -> std::fmt::Result {
    let state = match (frame.is_met(), frame.is_advisory()) {
        (true, _) => "met",
        (false, true) => "advisory",
        (false, false) => "missed",
    };
    let key = escaped(&frame.key);
    let details = escaped(&frame.details()).replace("  ", "<br>");
    let tags = escaped(&frame.tags.join(", "));
    write!(
        page,
        "<tr class=\"{state}\"><td><b>{key}</b><br>{tags}<br>{state}, {:.2} times its bar<br><br>{details}</td>",
        frame.multiple()
    )?;
    if has_pictures {
        write!(
            page,
            "<td class=\"flip\"><img src=\"{key}.expected.png\" alt=\"reference\"><img src=\"{key}.actual.png\" alt=\"ours\"></td>\
             <td><img src=\"{key}.actual.png\" alt=\"ours\"></td><td><img src=\"{key}.difference.png\" alt=\"difference\"></td>"
        )?;
    }
    page.push_str("</tr>\n");
    Ok(())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}
