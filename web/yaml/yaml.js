// YAML as JSON text, for files that people bring. web/site.mjs puts it behind js-yaml (`library`) into gpudget-yaml.js, which page and JavaScript module
// load when the first YAML comes. The rules are those of src/formats/yaml_reader.cpp: one document, keys of text, each once; null, true/yes/on, numbers as JSON
// writes them, else text; a cap on bytes and on values, aliases counted as often as they stand.
const MOST_BYTES = 1 << 20, MOST_VALUES = 100000, MOST_LEVELS = 64;

class YamlError extends Error {  // kind: the last part of the message id page.yaml.<kind>; line: counted from 1, 0 where there is none
  constructor(kind, line, what) {
    super(line ? `YAML, line ${line}: ${what}` : `YAML: ${what}`);
    this.kind = kind;
    this.line = line;
  }
}
// A plain scalar: `json` is what it stands for, its text is the key where it is one.
class Plain {
  constructor(text) {
    this.text = text;
    this.json = Plain.meaning(text);
  }
  static meaning(text) {
    if (/^(~|null|Null|NULL|)$/.test(text)) return "null";
    if (/^(true|True|TRUE|yes|Yes|YES|on|On|ON)$/.test(text)) return "true";
    if (/^(false|False|FALSE|no|No|NO|off|Off|OFF)$/.test(text)) return "false";
    return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) && Number.isFinite(Number(text)) ? text : JSON.stringify(text);
  }
  toString() {
    return this.text;
  }
  get [Symbol.toStringTag]() {
    return "Plain";
  }
}
const plain = new library.Type("tag:gpudget,2026:plain", { kind: "scalar", resolve: (text) => text !== null, construct: (text) => new Plain(text) });
const untagged = { scalar: (data) => new Plain(data || ""), sequence: (data) => data || [], mapping: (data) => data || {} };
const ignored = Object.entries(untagged).map(([kind, construct]) => new library.Type("", { kind, multi: true, construct }));
const schema = library.FAILSAFE_SCHEMA.extend({ implicit: [plain], explicit: ignored });

function write(value) {
  let values = 0;
  const levels = (inner, depth) => {
    if (++values > MOST_VALUES) throw new YamlError("too_large", 0, `too many values (at most ${MOST_VALUES})`);
    if (depth > MOST_LEVELS) throw new YamlError("too_deep", 0, `nested too deeply (at most ${MOST_LEVELS} levels)`);
    if (inner === null || inner === undefined) return "null";
    if (inner instanceof Plain) return inner.json;
    if (typeof inner !== "object") return JSON.stringify(inner);
    if (Array.isArray(inner)) return `[${inner.map((one) => levels(one, depth + 1)).join(",")}]`;
    return `{${Object.keys(inner).map((key) => `${JSON.stringify(key)}:${levels(inner[key], depth + 1)}`).join(",")}}`;
  };
  return levels(value, 0);
}

const kinds = [[/duplicated mapping key/, "duplicate", "the same field twice"],
  [/tab characters/, "tab", "a tab where blanks should indent"],
  [/bad indentation|indented|deficient/, "indent", "it does not stand in line with what is around it"],
  [/unexpected end of the stream|missed comma/, "open", "a bracket or a quotation mark is not closed"],
  [/alias/, "alias", "an alias without an anchor before it"],
  [/single document/, "documents", "a second document"],
  [/key|nested arrays/, "keys", "a key that is not text on one line"]];

globalThis.gpudgetYaml = {
  toJson(text) {
    if (text.length > MOST_BYTES) throw new YamlError("too_large", 0, `${text.length} characters (at most ${MOST_BYTES} bytes)`);
    try {
      if (/^\s*\? /m.test(text)) throw new YamlError("keys", text.slice(0, text.search(/^\s*\? /m)).split("\n").length, "a key that is not text on one line");
      return write(library.load(text, { schema }));
    } catch (error) {
      if (error instanceof YamlError) throw error;
      if (error instanceof RangeError) throw new YamlError("too_deep", 0, `nested too deeply (at most ${MOST_LEVELS} levels)`);
      const reason = String((error && error.reason) || error);
      const [, kind, what] = kinds.find(([pattern]) => pattern.test(reason)) || [null, "unknown", "this is not YAML"];
      throw new YamlError(kind, error && error.mark ? error.mark.line + 1 : 0, what);
    }
  },
};
