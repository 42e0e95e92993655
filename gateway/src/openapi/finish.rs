//! What all operations share, added to the document once: the envelope, common refusals, headers,
//! the key, and the schemas of compositions.

use kinora_composition::document;
use serde_json::{Map, Value, json};
use utoipa::openapi::OpenApi;

const INTRODUCTION: &str = include_str!("introduction.md");
const DIRECT: &str = include_str!("examples/direct.json");
const TEMPLATE: &str = include_str!("examples/template.json");
const PROJECT: &str = include_str!("examples/project.json");

/// The operation that needs no key.
const PUBLIC_PATH: &str = "/openapi.json";

/// On every answer: name, meaning.
const RATE_HEADERS: [(&str, &str); 6] = [
    ("RateLimit-Limit", "Requests that the window permits."),
    ("RateLimit-Remaining", "Requests that are left in it."),
    ("RateLimit-Reset", "Seconds until it ends."),
    ("X-RateLimit-Limit", "The same as RateLimit-Limit."),
    ("X-RateLimit-Remaining", "The same as RateLimit-Remaining."),
    ("X-RateLimit-Reset", "When it ends, in Unix seconds."),
];

/// Refusals that any operation can answer with: status, name, meaning.
const COMMON_REFUSALS: [(&str, &str, &str); 4] = [
    (
        "401",
        "Unauthorized",
        "The key is missing, malformed, revoked or unknown.",
    ),
    (
        "429",
        "TooManyRequests",
        "The rate limit is reached; wait for the seconds in `Retry-After`.",
    ),
    (
        "500",
        "InternalError",
        "The service has a fault; try again later.",
    ),
    (
        "503",
        "Unavailable",
        "A part of the service cannot be reached now; try again in a moment.",
    ),
];

/// The refusal of operations that take a body.
const BODY_TOO_LARGE: (&str, &str, &str) = (
    "413",
    "BodyTooLarge",
    "The request body is over the limit, 5 MiB unless configured otherwise.",
);

/// The finished document, from the one that the routes make.
pub(super) fn document(described: OpenApi) -> Value {
    let mut document = serde_json::to_value(described).unwrap_or_default();
    document["info"] = json!({
        "title": "Kinora API",
        "version": env!("CARGO_PKG_VERSION"),
        "description": INTRODUCTION.trim(),
    });
    document["servers"] = json!([{ "url": "/api/v1" }]);
    document["security"] = json!([{ "bearerAuth": [] }]);
    document["tags"] = tags();
    finish_components(&mut document["components"]);
    for (path, operations) in fields(&mut document["paths"]) {
        for (_, operation) in operations.as_object_mut().into_iter().flatten() {
            finish_operation(path, operation);
        }
    }
    document["webhooks"] = events();
    document
}

fn fields(value: &mut Value) -> impl Iterator<Item = (&String, &mut Value)> {
    value.as_object_mut().into_iter().flatten()
}

fn tags() -> Value {
    let tag = |name: &str, description: &str| json!({ "name": name, "description": description });
    json!([
        tag("Renders", "Jobs that turn a composition into a video."),
        tag("Previews", "What a render would be, free of charge."),
        tag("Templates", "Compositions that everyone may render."),
        tag("Projects", "Compositions that the account has saved."),
        tag("Uploads", "Own media for compositions."),
        tag("Webhooks", "Addresses that are told when renders end."),
        tag("Account", "The key, the balance and what was bought."),
        tag("Interface", "The description of all this."),
    ])
}

fn finish_operation(path: &str, operation: &mut Value) {
    let is_public = path == PUBLIC_PATH;
    if is_public {
        operation["security"] = json!([]);
    }
    // Doc comments are sentences, summaries are titles.
    if let Some(summary) = operation["summary"].as_str() {
        operation["summary"] = summary.trim_end_matches('.').into();
    }
    if operation["operationId"] == "createRender" {
        operation["requestBody"]["content"]["application/json"]["examples"] = render_examples();
    }
    // An optional parameter is left out, never null.
    let parameters = operation
        .get_mut("parameters")
        .and_then(Value::as_array_mut);
    for parameter in parameters.into_iter().flatten() {
        if let Some(types) = parameter["schema"]["type"].as_array_mut() {
            types.retain(|name| name != "null");
            if let [only] = &types[..] {
                parameter["schema"]["type"] = only.clone();
            }
        }
    }
    let takes_body = operation.get("requestBody").is_some();
    for (status, response) in fields(&mut operation["responses"]) {
        if status.as_str() >= "400" {
            response["content"] = error_content();
        } else if !is_public {
            wrap(&mut response["content"]["application/json"]["schema"]);
        }
        response["headers"] = rate_header_references();
    }
    let common = COMMON_REFUSALS.iter().filter(|_| !is_public);
    let body_too_large = takes_body.then_some(&BODY_TOO_LARGE);
    for (status, name, _) in common.chain(body_too_large) {
        let reference = format!("#/components/responses/{name}");
        operation["responses"][*status] = json!({ "$ref": reference });
    }
}

/// Puts the schema of an answer's `data` into the envelope.
fn wrap(schema: &mut Value) {
    let data = schema.take();
    *schema = json!({
        "type": "object",
        "required": ["success", "data"],
        "properties": { "success": { "const": true, "type": "boolean" }, "data": data },
    });
}

fn error_content() -> Value {
    json!({ "application/json": { "schema": { "$ref": "#/components/schemas/Error" } } })
}

fn rate_header_references() -> Value {
    let reference = |name: &str| json!({ "$ref": format!("#/components/headers/{name}") });
    let headers = RATE_HEADERS.iter();
    headers
        .map(|(name, _)| ((*name).to_owned(), reference(name)))
        .collect::<Map<_, _>>()
        .into()
}

fn finish_components(components: &mut Value) {
    for (name, schema) in document::schemas() {
        components["schemas"][name] = schema;
    }
    components["schemas"]["PreviewRequest"] =
        preview_request(components["schemas"]["RenderRequest"].clone());
    components["schemas"]["Error"] = error_schema();
    components["schemas"]["RenderEvent"] = event_schema();
    components["securitySchemes"] = json!({
        "bearerAuth": {
            "type": "http",
            "scheme": "bearer",
            "description": "An API key; it begins with `rnd_`.",
        }
    });
    for (name, meaning) in RATE_HEADERS {
        components["headers"][name] = header(meaning);
    }
    components["headers"]["Retry-After"] = header("Seconds to wait before the next request.");
    for (_, name, meaning) in COMMON_REFUSALS.iter().chain([&BODY_TOO_LARGE]) {
        components["responses"][*name] = json!({
            "description": meaning,
            "content": error_content(),
            "headers": rate_header_references(),
        });
    }
    components["responses"]["TooManyRequests"]["headers"]["Retry-After"] =
        json!({ "$ref": "#/components/headers/Retry-After" });
}

/// The body of a preview is that of a render and one field more.
fn preview_request(mut render_request: Value) -> Value {
    render_request["properties"]["confirmAiCost"] = json!({
        "type": "boolean",
        "description": "Whether AI replacements are generated and billed. They are skipped when it is omitted.",
    });
    render_request
}

fn header(meaning: &str) -> Value {
    json!({
        "description": meaning,
        "required": true,
        "schema": { "type": "integer", "minimum": 0 },
    })
}

fn error_schema() -> Value {
    let count = |description: &str| json!({ "type": "integer", "description": description });
    json!({
        "type": "object",
        "description": "An answer that is not a success.",
        "required": ["success", "error", "details"],
        "properties": {
            "success": { "const": false, "type": "boolean", "description": "Always false." },
            "error": { "type": "string", "description": "What is wrong, in a sentence." },
            "details": {
                "description": "What to do about it, or what was found.",
                "type": ["string", "object"],
                "properties": {
                    "issues": {
                        "type": "array",
                        "description": "Every problem in the request (400, 422).",
                        "items": {
                            "type": "object",
                            "required": ["path", "message"],
                            "properties": {
                                "path": { "type": "string", "description": "The field; empty for the whole." },
                                "message": { "type": "string", "description": "What is wrong with it." },
                            },
                        },
                    },
                    "reason": {
                        "type": "string",
                        "description": "A name for the problem, as in MISSING_MEDIA_SOURCE or WEBHOOK_LIMIT.",
                    },
                    "missing": {
                        "type": "array",
                        "description": "The media overlays without a source (MISSING_MEDIA_SOURCE).",
                        "items": { "type": "object" },
                    },
                    "creditsNeeded": count("What the render costs (402)."),
                    "creditsAvailable": count("What the account has (402)."),
                    "creditsShort": count("The difference (402)."),
                },
            },
        },
    })
}

fn render_examples() -> Value {
    let example = |summary: &str, text: &str| {
        let value: Value = serde_json::from_str(text).unwrap_or_default();
        json!({ "summary": summary, "value": value })
    };
    json!({
        "direct": example("A composition, sent whole", DIRECT),
        "template": example("A template with replacements", TEMPLATE),
        "project": example("An own project", PROJECT),
    })
}

/// What registered webhooks and one-off callbacks receive.
fn events() -> Value {
    let event = |name: &str, summary: &str| {
        json!({
            "post": {
                "operationId": name,
                "summary": summary,
                "description": "Sent to every active webhook that is subscribed to it, and to the `webhookUrl` \
                    of the render. Any 2xx within 10 seconds acknowledges it; otherwise it is sent again after \
                    one second and after two more. `X-Service-Signature` is the hex-encoded HMAC-SHA256 of the \
                    raw body, keyed with the whole secret of the registration: compare it in constant time. \
                    Refuse what is more than 5 minutes off `X-Service-Timestamp`, and keep each `deliveryId` \
                    to notice repetitions. The middle word of the headers' names can be configured.",
                "parameters": [
                    event_header("X-Service-Signature", "Hex-encoded HMAC-SHA256 of the body. To a one-off `webhookUrl` it proves nothing."),
                    event_header("X-Service-Timestamp", "When it was sent, in Unix seconds."),
                    event_header("X-Service-Delivery", "The same as `deliveryId`; to registered webhooks only."),
                ],
                "requestBody": {
                    "content": {
                        "application/json": { "schema": { "$ref": "#/components/schemas/RenderEvent" } }
                    }
                },
                "responses": { "2XX": { "description": "Received." } },
            }
        })
    };
    json!({
        "render.completed": event("renderCompleted", "A render is complete"),
        "render.failed": event("renderFailed", "A render has failed"),
    })
}

fn event_header(name: &str, description: &str) -> Value {
    json!({
        "name": name,
        "in": "header",
        "required": name != "X-Service-Delivery",
        "description": description,
        "schema": { "type": "string" },
    })
}

fn event_schema() -> Value {
    let field = |kind: &str, description: &str| json!({ "type": kind, "description": description });
    let date = |description: &str| json!({ "type": "string", "format": "date-time", "description": description });
    json!({
        "type": "object",
        "description": "What a webhook receives. Fields that do not apply are left out, never null.",
        "required": ["event", "timestamp", "data"],
        "properties": {
            "event": { "$ref": "#/components/schemas/EventName", "description": "What happened." },
            "deliveryId": field("string", "Stays the same when a delivery is repeated; registered webhooks only."),
            "timestamp": date("When it happened."),
            "data": {
                "type": "object",
                "description": "The job.",
                "required": [
                    "jobId", "status", "durationInFrames", "width", "height", "fps", "creditsUsed",
                ],
                "properties": {
                    "jobId": field("string", "The job's id."),
                    "projectId": field("string", "The project that it belongs to."),
                    "status": { "$ref": "#/components/schemas/RenderStatus", "description": "COMPLETED or FAILED." },
                    "outputUrl": field("string", "Where the video is."),
                    "outputSize": field("integer", "Its size in bytes."),
                    "durationInFrames": field("integer", "Length in frames."),
                    "width": field("integer", "Width in pixels."),
                    "height": field("integer", "Height in pixels."),
                    "fps": field("integer", "Frames a second."),
                    "creditsUsed": field("integer", "What the render cost."),
                    "duration": field("integer", "How long rendering took, in milliseconds."),
                    "completedAt": date("When it ended."),
                    "errorMessage": field("string", "Why it failed."),
                },
            },
        },
    })
}
