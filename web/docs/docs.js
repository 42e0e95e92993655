// Draws the interface from the document that the server publishes.

const DOCUMENT = "/api/v1/openapi.json";
const METHODS = ["post", "get", "put", "patch", "delete"];

/** An element with attributes and children; strings become text, never markup. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null));
  return made;
}

/** The small part of Markdown that descriptions use: paragraphs, lists, `code`, **bold** and links. */
function prose(text = "") {
  return text
    .split(/\n\s*\n/)
    .filter((block) => block.trim())
    .map((block) => {
      const lines = block.trim().split("\n");
      if (lines.every((line) => /^\s*[-*] /.test(line))) {
        return element("ul", {}, lines.map((line) => element("li", {}, inline(line.replace(/^\s*[-*] /, "")))));
      }
      if (lines[0].startsWith("#")) return element("h4", {}, inline(lines[0].replace(/^#+ /, "")));
      return element("p", {}, inline(lines.join(" ")));
    });
}

function inline(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)\s]+\))/).map((part) => {
    if (part.startsWith("`")) return element("code", {}, part.slice(1, -1));
    if (part.startsWith("**")) return element("strong", {}, part.slice(2, -2));
    const link = part.match(/^\[([^\]]+)\]\(((?:https?:\/\/|\/|#)[^)\s]*)\)$/);
    return link ? element("a", { href: link[2] }, link[1]) : part;
  });
}

class Page {
  constructor(api) {
    this.api = api;
    this.schemas = api.components?.schemas ?? {};
    this.sharedFields = this.findSharedFields();
  }

  /** Follows a reference to what it stands for. */
  target(value) {
    if (!value?.$ref) return value ?? {};
    return value.$ref.slice(2).split("/").reduce((at, key) => at?.[key], this.api) ?? {};
  }

  name(value) {
    return value?.$ref?.split("/").pop();
  }

  /** Fields that every overlay has, so that they are written down once. */
  findSharedFields() {
    const types = (this.schemas.Overlay?.oneOf ?? []).map((type) => this.target(type).properties ?? {});
    if (!types.length) return new Set();
    return new Set(Object.keys(types[0]).filter((key) => key !== "type" && types.every((type) =>
      JSON.stringify(type[key]) === JSON.stringify(types[0][key]))));
  }

  isOverlay(name) {
    return (this.schemas.Overlay?.oneOf ?? []).some((type) => this.name(type) === name);
  }

  operations() {
    return Object.entries(this.api.paths ?? {}).flatMap(([path, item]) =>
      METHODS.filter((method) => item[method]).map((method) => ({ path, method, ...item[method] })));
  }

  events() {
    return Object.entries(this.api.webhooks ?? {}).map(([path, item]) => ({ path, method: "post", ...item.post }));
  }

  groups() {
    const operations = this.operations();
    const declared = (this.api.tags ?? []).map((tag) => tag.name);
    const used = operations.flatMap((operation) => operation.tags ?? []);
    return [...new Set([...declared, ...used])].map((name) => ({
      name,
      description: this.api.tags?.find((tag) => tag.name === name)?.description,
      operations: operations.filter((operation) => operation.tags?.[0] === name),
    })).concat({
      name: "Events",
      description: "What the service sends to your addresses when a render ends.",
      operations: this.events(),
    }).filter((group) => group.operations.length);
  }

  /** Compositions first, as that is what people look up; then everything else by name. */
  schemaGroups() {
    const inside = new Set();
    const visit = (value) => {
      if (Array.isArray(value)) return value.forEach(visit);
      if (!value || typeof value !== "object") return;
      const name = this.name(value);
      if (name && !inside.has(name)) {
        inside.add(name);
        visit(this.schemas[name]);
      }
      Object.values(value).forEach(visit);
    };
    visit({ $ref: "#/components/schemas/Composition" });
    const order = (name) => (name === "Composition" ? 0 : name === "Overlay" ? 1 : this.isOverlay(name) ? 2 : 3);
    const names = Object.keys(this.schemas).sort((a, b) => order(a) - order(b) || a.localeCompare(b));
    return [
      { name: "Composition", id: "compositions", schemas: names.filter((name) => inside.has(name)) },
      { name: "Other types", id: "types", schemas: names.filter((name) => !inside.has(name)) },
    ].filter((group) => group.schemas.length);
  }

  /** How a type is called, with a link where it has a place of its own. */
  typeOf(schema) {
    if (!schema) return ["anything"];
    const name = this.name(schema);
    if (name) return [element("a", { href: `#schema-${name}` }, name)];
    const variants = schema.oneOf ?? schema.anyOf;
    if (variants) return variants.flatMap((one, index) => (index ? [" or ", ...this.typeOf(one)] : this.typeOf(one)));
    if (schema.allOf?.length === 1) return this.typeOf(schema.allOf[0]);
    const types = [schema.type ?? []].flat();
    if (!types.length) return [schema.const !== undefined ? "string" : "anything"];
    return types.flatMap((type, index) => {
      const said = type === "array" ? ["array of ", ...this.typeOf(schema.items)]
        : type === "object" && schema.additionalProperties?.$ref ? ["object of ", ...this.typeOf(schema.additionalProperties)]
        : schema.format && type === "string" ? [schema.format] : [type];
      return index ? [" or ", ...said] : said;
    });
  }

  /** Limits and allowed values, as far as the type does not say them. */
  bounds(schema) {
    const said = [];
    const values = this.target(schema).enum ?? this.target(schema.items).enum ?? (schema.const !== undefined ? [schema.const] : undefined);
    if (values) said.push(element("span", { class: "values" }, schema.const !== undefined ? "Always " : "One of ",
      values.flatMap((value, index) => [index ? " " : "", element("code", {}, String(value))])));
    const hasDefault = schema.default !== undefined && JSON.stringify(schema.default) !== "{}";
    if (hasDefault) said.push(element("span", { class: "values" }, " Default ", element("code", {}, JSON.stringify(schema.default)), "."));
    return said;
  }

  fieldRow(name, schema, note) {
    return element("tr", {},
      element("th", { scope: "row" },
        element("code", {}, name),
        note ? element("span", { class: note }, note) : null,
        element("span", { class: "type" }, this.typeOf(schema))),
      element("td", {}, prose(this.describe(schema)), this.bounds(schema), this.innerFields(schema)));
  }

  /** The description of a field; one that may be null has it beside its type. */
  describe(schema) {
    return schema.description ?? (schema.oneOf ?? schema.anyOf ?? []).find((one) => one.description)?.description;
  }

  /** Fields of an object, or of the objects in a list, that has no name of its own. */
  innerFields(schema) {
    const table = this.fieldTable(schema) ?? this.fieldTable(schema.items ?? {});
    return table && element("details", { class: "more" }, element("summary", {}, "Its fields"), table);
  }

  /** The fields of an object. What is sent notes what is required, what is received what is not always there. */
  fieldTable(schema, keep = () => true, isReceived = false) {
    const note = (name) => (isReceived ? (required.has(name) ? "" : "optional") : (required.has(name) ? "required" : ""));
    const required = new Set(schema.required ?? []);
    const names = Object.keys(schema.properties ?? {}).filter(keep);
    const rank = (name) => (name === "type" ? 0 : required.has(name) ? 1 : 2);
    names.sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
    if (!names.length) return null;
    return element("table", {},
      element("thead", {}, element("tr", {}, element("th", {}, "Field"), element("th", {}, "Meaning"))),
      element("tbody", {}, names.map((name) => this.fieldRow(name, schema.properties[name], note(name)))));
  }

  /** The fields of a body, or what it is where it has no fields. */
  body(schema) {
    const target = this.target(schema);
    return this.fieldTable(target) ?? element("p", {}, this.typeOf(schema));
  }

  parameters(operation) {
    const parameters = (operation.parameters ?? []).map((parameter) => this.target(parameter));
    if (!parameters.length) return null;
    const places = { path: "in the path", query: "in the query", header: "header" };
    return [element("h4", {}, "Parameters"), element("table", {},
      element("tbody", {}, parameters.map((parameter) => element("tr", {},
        element("th", { scope: "row" },
          element("code", {}, parameter.name),
          parameter.required ? element("span", { class: "required" }, "required") : null,
          element("span", { class: "type" }, this.typeOf(parameter.schema), ", ", places[parameter.in])),
        element("td", {}, prose(parameter.description), this.bounds(parameter.schema ?? {}))))))];
  }

  request(operation) {
    const body = this.target(operation.requestBody);
    const [type, content] = Object.entries(body.content ?? {})[0] ?? [];
    if (!content) return null;
    const examples = Object.entries(content.examples ?? {}).map(([name, example]) => [example.summary ?? name, example.value]);
    if (content.example !== undefined) examples.push(["Example", content.example]);
    return [
      element("h4", {}, "Request body"),
      prose(body.description),
      element("p", { class: "values" }, element("code", {}, type), " ", this.typeOf(content.schema)),
      this.body(content.schema),
      examples.length ? element("h4", {}, "Examples") : null,
      examples.map(([summary, value], index) => element("details", index ? { class: "more" } : { class: "more", open: "" },
        element("summary", {}, summary),
        element("pre", { tabindex: "0" }, element("code", {}, this.curl(operation, value))))),
    ];
  }

  curl(operation, value) {
    const base = this.api.servers?.[0]?.url ?? "";
    const url = new URL(base + operation.path, location.href);
    const key = operation.security?.length === 0 ? "" : " \\\n  -H 'Authorization: Bearer rnd_…'";
    const lines = JSON.stringify(value, null, 2).replaceAll("'", "'\\''");
    return `curl -X ${operation.method.toUpperCase()} ${decodeURI(url.href)}${key} \\\n  -H 'Content-Type: application/json' \\\n  -d '${lines}'`;
  }

  answerRow(status, value) {
    const response = this.target(value);
    return element("tr", {},
      element("th", { scope: "row" }, element("span", { class: `status ${status < "400" ? "good" : "bad"}` }, status)),
      element("td", {}, prose(response.description)));
  }

  /** Refusals that operations share, each with its status. */
  refusals() {
    const found = new Map();
    for (const operation of this.operations()) {
      for (const [status, value] of Object.entries(operation.responses ?? {})) {
        if (value.$ref) found.set(status, value);
      }
    }
    const rows = [...found].sort().map(([status, value]) => this.answerRow(status, value));
    return rows.length ? [
      element("h2", { id: "refusals" }, "Refusals everywhere"),
      element("p", {}, "Every refusal is an ", element("a", { href: "#schema-Error" }, "Error"), "."),
      element("table", {}, element("tbody", {}, rows)),
    ] : [];
  }

  responses(operation) {
    const answers = Object.entries(operation.responses ?? {});
    const shared = answers.filter(([, value]) => value.$ref).map(([status]) => status);
    const rows = answers.filter(([, value]) => !value.$ref).map(([status, value]) => this.answerRow(status, value));
    if (shared.length) {
      rows.push(element("tr", {},
        element("th", { scope: "row" }, element("span", { class: "status bad" }, shared.join(" "))),
        element("td", {}, "As ", element("a", { href: "#refusals" }, "everywhere"), ".")));
    }
    const [status, good] = Object.entries(operation.responses ?? {}).find(([code]) => code < "300") ?? [];
    const schema = Object.values(this.target(good).content ?? {})[0]?.schema;
    const data = this.target(schema).properties?.data;
    return [
      element("h4", {}, "Answers"),
      element("table", {}, element("tbody", {}, rows)),
      data ? [element("h4", {}, `data of a ${status}`),
        element("p", { class: "values" }, this.typeOf(data)), this.fieldTable(this.target(data), undefined, true)] : null,
    ];
  }

  operation(operation) {
    const isPublic = operation.security?.length === 0;
    const scopes = (operation.security ?? []).flatMap((one) => Object.values(one).flat());
    const isEvent = !operation.path.startsWith("/");
    return element("section", { class: "operation", id: operation.operationId },
      element("h3", {}, operation.summary ?? operation.operationId),
      element("div", { class: "line" },
        element("span", { class: `method ${operation.method}` }, operation.method.toUpperCase()),
        element("span", { class: "path" }, operation.path),
        isPublic ? element("span", { class: "mark" }, "no key needed") : null,
        scopes.map((scope) => element("span", { class: "mark" }, scope)),
        isEvent ? element("span", { class: "mark" }, "sent to you") : null),
      prose(operation.description),
      this.parameters(operation),
      this.request(operation),
      this.responses(operation));
  }

  schema(name) {
    const schema = this.schemas[name];
    const isOverlay = this.isOverlay(name);
    const variants = schema.oneOf ?? schema.anyOf;
    const shared = name === "Overlay" ? this.target(schema.oneOf?.[0]) : undefined;
    return element("section", { class: "schema", id: `schema-${name}` },
      element("h3", {}, name),
      prose(schema.description),
      variants ? element("p", {}, "One of ", this.typeOf(schema), ".") : null,
      shared ? [element("h4", {}, "Fields of every overlay"), this.fieldTable(shared, (key) => this.sharedFields.has(key))] : null,
      this.fieldTable(schema, (key) => !(isOverlay && this.sharedFields.has(key))) ?? this.bounds(schema),
      isOverlay ? element("p", { class: "values" }, "And the ", element("a", { href: "#schema-Overlay" }, "fields of every overlay"), ".") : null);
  }

  introduction() {
    const { title, version, description } = this.api.info ?? {};
    return [
      element("h1", {}, title),
      element("p", { class: "lead" }, `Version ${version} · `, element("a", { href: DOCUMENT }, "openapi.json")),
      prose(description),
    ];
  }

  text() {
    return [
      this.introduction(),
      this.groups().map((group) => [
        element("h2", { id: `group-${group.name.toLowerCase()}` }, group.name),
        prose(group.description),
        group.operations.map((operation) => this.operation(operation)),
      ]),
      this.refusals(),
      this.schemaGroups().map((group) => [
        element("h2", { id: group.id }, group.name),
        group.schemas.map((name) => this.schema(name)),
      ]),
    ].flat(Infinity);
  }

  contents() {
    const list = (title, items) => element("div", {}, element("h2", {}, title), element("ul", {}, items));
    const operations = this.groups().map((group) => list(group.name, group.operations.map((operation) =>
      element("li", { "data-words": `${operation.path} ${operation.method} ${operation.summary}`.toLowerCase() },
        element("a", { href: `#${operation.operationId}` },
          element("span", { class: `method ${operation.method}` }, operation.method.toUpperCase()),
          operation.summary ?? operation.operationId)))));
    const schemas = this.schemaGroups().map((group) => list(group.name, group.schemas.map((name) =>
      element("li", { "data-words": name.toLowerCase() }, element("a", { href: `#schema-${name}` }, name)))));
    return [...operations, ...schemas];
  }
}

function followFilter(input, contents) {
  input.addEventListener("input", () => {
    const wanted = input.value.trim().toLowerCase();
    for (const group of contents.children) {
      const items = [...group.querySelectorAll("li")];
      for (const item of items) item.hidden = !item.dataset.words.includes(wanted);
      group.hidden = items.every((item) => item.hidden);
    }
  });
}

/** On a narrow screen the contents lie over the text: closed at first, and after each choice. */
function foldMenu(menu, contents) {
  const isNarrow = matchMedia("(max-width: 60rem)");
  const fit = () => { menu.open = !isNarrow.matches; };
  isNarrow.addEventListener("change", fit);
  contents.addEventListener("click", (event) => { if (event.target.closest("a")) fit(); });
  fit();
}

async function show() {
  const main = document.getElementById("content");
  const contents = document.getElementById("contents");
  try {
    const answer = await fetch(DOCUMENT);
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    const page = new Page(await answer.json());
    document.title = page.api.info.title;
    contents.replaceChildren(...page.contents());
    main.replaceChildren(...page.text().filter(Boolean));
    followFilter(document.getElementById("filter"), contents);
    foldMenu(document.getElementById("menu"), contents);
    if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView({ behavior: "instant" });
    document.documentElement.dataset.ready = "true";
  } catch (error) {
    document.documentElement.dataset.failed = "true";
    main.replaceChildren(element("p", { class: "problem" }, `The interface could not be read: ${error.message}. Reload the page in a moment.`));
  }
}

show();
