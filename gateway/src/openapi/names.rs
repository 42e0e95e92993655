//! Values that are one of a few names.
#![expect(
    dead_code,
    reason = "the names come from the controller as text; these types only list them"
)]

use utoipa::ToSchema;

/// Where a render job stands: PENDING until a renderer takes it, PROCESSING until it ends, then
/// COMPLETED or FAILED for good.
#[derive(ToSchema)]
#[schema(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum RenderStatus {
    Pending,
    Processing,
    Completed,
    Failed,
}

/// What was rendered: a composition that was sent, a template or a project.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(crate) enum RenderMode {
    Direct,
    Template,
    Project,
}

/// What a template is made for.
#[derive(ToSchema)]
#[schema(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum TemplateCategory {
    Branding,
    RealEstate,
    SocialMedia,
    Educational,
    Ecommerce,
    Sports,
    Personalized,
    Events,
    Travel,
}

/// The type of an overlay.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(crate) enum OverlayType {
    Text,
    Video,
    Image,
    Sound,
    Shape,
    Sticker,
    Caption,
    Effect,
}

/// Which kind of value a variable takes: the URL of a file, or text.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(crate) enum VariableType {
    Url,
    Text,
}

/// The field of an overlay that a variable writes.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(crate) enum VariableField {
    Content,
    Src,
}

/// What happens to text that does not fit.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(crate) enum OverflowBehavior {
    Clipped,
}

/// A subscription.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(crate) enum Plan {
    None,
    Creator,
    Business,
}

/// How credits came to the account.
#[derive(ToSchema)]
#[schema(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum TransactionType {
    CreditPurchase,
    Subscription,
    AdditionalCredits,
}

/// Where a transaction stands.
#[derive(ToSchema)]
#[schema(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum TransactionStatus {
    Pending,
    Completed,
    Failed,
    Refunded,
}

/// Something that a webhook is told.
#[derive(ToSchema)]
pub(crate) enum EventName {
    #[schema(rename = "render.completed")]
    RenderCompleted,
    #[schema(rename = "render.failed")]
    RenderFailed,
}

/// What a preview found.
#[derive(ToSchema)]
#[schema(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum WarningCode {
    UnknownReplacement,
    UnknownField,
    FontNotResolved,
    FontWeightUnavailable,
    MediaUrlRewritten,
    TextMayClip,
    FontSizeUnitIgnored,
    MediaUnreachable,
    CssIgnored,
}

/// How bad it is: `error` (the render will be wrong or fail), `warning` (it renders, but not as
/// authored) or `info` (advice, or an estimate).
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(crate) enum Severity {
    Error,
    Warning,
    Info,
}

/// Where the value of a variable comes from.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(crate) enum ValueSource {
    Replacement,
    Default,
    Tts,
    Transcribe,
    Skipped,
}
