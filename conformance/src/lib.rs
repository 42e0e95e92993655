//! Compares frames that Kinora draws with those of a real browser.

mod bar;
mod case;
mod draw;
mod exception;
mod fit;
mod measure;
mod picture;
mod report;
mod ssim;
mod verdict;

pub use bar::{Bar, Bars};
pub use case::{Case, Compare, frame_key, read_all};
pub use draw::draw;
pub use exception::{Exceptions, Finding, judge_all};
pub use measure::{Figures, compare};
pub use picture::Picture;
pub use report::{write_evidence, write_report};
pub use verdict::{Judged, Verdict, judge};
