//! The drawings that come with the program.

/// Builds the table of identifiers and files.
macro_rules! drawings {
    ($($id:literal),* $(,)?) => {
        /// Every drawing: its identifier and its SVG document.
        pub(super) const DRAWINGS: &[(&str, &str)] = &[
            $( ($id, include_str!(concat!("../../stickers/", $id, ".svg"))), )*
        ];
    };
}

drawings![
    "shape-badge",
    "shape-blob",
    "shape-bolt",
    "shape-burst",
    "shape-cloud",
    "shape-crown",
    "shape-drop",
    "shape-flower",
    "shape-gem",
    "shape-heart",
    "shape-hexagon",
    "shape-moon",
    "shape-star",
    "shape-sun",
    "discount-20-off",
    "discount-50-off",
    "discount-70-off",
    "discount-black-friday",
    "discount-bogo",
    "discount-coupon",
    "discount-flash-sale",
    "discount-free-shipping",
    "discount-gift",
    "discount-hot-deal",
    "discount-limited",
    "discount-new",
    "discount-percent",
    "discount-price-tag",
    "discount-ribbon",
    "discount-sale",
    "emoji-angry",
    "emoji-cool",
    "emoji-cry",
    "emoji-fire",
    "emoji-hundred",
    "emoji-laugh",
    "emoji-love",
    "emoji-party",
    "emoji-rocket",
    "emoji-sleepy",
    "emoji-smile",
    "emoji-star-eyes",
    "emoji-thinking",
    "emoji-wink",
    "emoji-wow",
    "review-bubble",
    "review-medal",
    "review-number-one",
    "review-quote",
    "review-rating-5",
    "review-stars-1",
    "review-stars-2",
    "review-stars-3",
    "review-stars-4",
    "review-stars-4-half",
    "review-stars-5",
    "review-thumbs-up",
    "review-top-rated",
    "review-trust-shield",
    "review-verified",
    "default-arrow-curved",
    "default-arrow-right",
    "default-bell",
    "default-check",
    "default-circle-scribble",
    "default-click",
    "default-cross",
    "default-idea",
    "default-like",
    "default-live",
    "default-megaphone",
    "default-pin",
    "default-play",
    "default-sparkles",
    "default-speech",
    "default-subscribe",
    "default-swipe-up",
    "default-trophy",
    "default-underline",
];

/// The SVG document of that identifier.
pub(super) fn svg(id: &str) -> Option<&'static str> {
    let drawing = DRAWINGS.iter().find(|(known, _)| *known == id);
    drawing.map(|(_, svg)| *svg)
}
