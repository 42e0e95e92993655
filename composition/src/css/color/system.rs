//! Colours named after parts of a desktop, as Chromium's light theme has them.

/// Red, green, blue and alpha in bytes.
pub(super) fn system_color(name: &str) -> Option<[u8; 4]> {
    const WHITE: [u8; 4] = [255, 255, 255, 255];
    const BLACK: [u8; 4] = [0, 0, 0, 255];
    const BUTTON: [u8; 4] = [239, 239, 239, 255];
    Some(match name.to_ascii_lowercase().as_str() {
        "canvas" | "field" | "highlighttext" | "selecteditemtext" | "accentcolortext"
        | "background" | "window" | "menu" | "infobackground" | "activecaption"
        | "appworkspace" | "inactivecaption" | "scrollbar" => WHITE,
        "canvastext" | "buttontext" | "buttonborder" | "fieldtext" | "marktext"
        | "activeborder" | "captiontext" | "inactiveborder" | "infotext" | "menutext"
        | "threeddarkshadow" | "threedhighlight" | "threedlightshadow" | "threedshadow"
        | "windowframe" | "windowtext" => BLACK,
        "buttonface" | "buttonhighlight" | "buttonshadow" | "threedface" => BUTTON,
        "linktext" => [0, 0, 238, 255],
        "visitedtext" => [85, 26, 139, 255],
        "activetext" => [255, 0, 0, 255],
        "highlight" => [0, 65, 198, 204],
        "selecteditem" => [25, 103, 210, 255],
        "mark" => [255, 255, 0, 255],
        "graytext" | "inactivecaptiontext" => [128, 128, 128, 255],
        "accentcolor" => [0, 117, 255, 255],
        _ => return None,
    })
}
