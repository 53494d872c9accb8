import {
  escapePointerSegment,
  isDeeper,
  type JsonObject,
  type JsonValue,
  MAX_JSON_DEPTH,
} from '../storable-json.ts';
import { messageOfIssues, plainEngine } from './engine.ts';
import { MAX_RENDERED_CHARACTERS, sizeOf } from './metering.ts';
import type { MissingVariable, Preview, TemplateContext, TemplateIssue } from './template-types.ts';
import { parseValuePath, type ValuePath, valueAt } from './value-path.ts';

export type RenderedJson = { ok: true; value: JsonValue } | { ok: false; message: string };

const tooMuchRendered = `more than ${MAX_RENDERED_CHARACTERS} characters were rendered`;

/** The key of an object that is replaced by a value of the context: `{"$value": "payload.amount"}`. */
const REFERENCE = '$value';
/** The optional second field of such an object: the value to use if the context has none. */
const DEFAULT = 'default';

/** How the parts of a JSON template are rendered. */
interface Fill {
  /** Renders a string that is not a key. */
  text(source: string, pointer: string): string;
  /** Resolves a reference; undefined uses its default, which must exist. */
  value(path: ValuePath, pointer: string, hasDefault: boolean): JsonValue | undefined;
  /** Called for an invalid reference, which is then an ordinary object. */
  malformed?(message: string, pointer: string): void;
}

/** What a render or a preview does with the parts of a template. */
interface Rendering {
  /** Whether the rest is not rendered; never by default. */
  hasEnded?(): boolean;
  /** Renders a string; null if it cannot be rendered. */
  text(source: string, pointer: string): string | null;
  missing(name: string, pointer: string): void;
  tooMuch(pointer: string): void;
}

/** Fills a body with values of the context, up to the limit of characters. */
function fillWithinLimit(body: JsonValue, context: TemplateContext, rendering: Rendering): JsonValue {
  let room = MAX_RENDERED_CHARACTERS;
  const hasEnded = () => room < 0 || rendering.hasEnded?.() === true;
  const take = (characters: number, pointer: string) => {
    room -= characters;
    if (room < 0) rendering.tooMuch(pointer);
  };
  return fill(body, '', {
    text(source, pointer) {
      if (hasEnded()) return source;
      const text = rendering.text(source, pointer);
      take(text?.length ?? 0, pointer);
      return text ?? source;
    },
    value(path, pointer, hasDefault) {
      if (hasEnded()) return null;
      const found = valueAt(context, path);
      if ('value' in found) {
        take(sizeOf(found.value), pointer);
        return found.value;
      }
      if (hasDefault) return undefined;
      rendering.missing(found.missing, pointer);
      return null;
    },
  });
}

/**
 * Renders a webhook's JSON template (docs/specification.md, "Templates"). Every string that is not a key is a Liquid
 * template and becomes a string, so values cannot change the structure. `{"$value": "payload.amount"}` becomes the
 * value at that path, of any JSON type. Keys, numbers, booleans and null are unchanged. The message of a failure
 * has a JSON Pointer into `body`.
 */
export function renderJsonTemplate(body: JsonValue, context: TemplateContext): RenderedJson {
  const failures: string[] = [];
  const fail = (pointer: string, message: string) => failures.push(`${pointer}: ${message}`);
  const value = fillWithinLimit(body, context, {
    // Stops at the first failure: a template of many slow leaves must not continue.
    hasEnded: () => failures.length > 0,
    text(source, pointer) {
      const rendered = plainEngine.render(source, pointer, context);
      if (rendered.ok) return rendered.text;
      fail(pointer, messageOfIssues(rendered.issues));
      return null;
    },
    missing: (name, pointer) => fail(pointer, `undefined variable: ${name}`),
    tooMuch: (pointer) => fail(pointer, tooMuchRendered),
  });
  const [message] = failures;
  return message === undefined ? { ok: true, value } : { ok: false, message };
}

/** A preview like that of an email; `path` is a JSON Pointer into the template. */
export type JsonPreview = Preview<JsonValue | undefined>;

/**
 * Renders a preview of a JSON template. `rendered` is undefined if a leaf cannot be rendered, and has null for
 * missing values.
 */
export function previewJsonTemplate(body: JsonValue, context: TemplateContext): JsonPreview {
  const missing: MissingVariable[] = [];
  const issues: TemplateIssue[] = [];
  const value = fillWithinLimit(body, context, {
    text(source, pointer) {
      const previewed = plainEngine.preview(source, pointer, context);
      missing.push(...previewed.missing);
      issues.push(...previewed.issues);
      return previewed.text;
    },
    missing: (name, path) => missing.push({ path, name }),
    tooMuch: (path) => issues.push({ path, message: tooMuchRendered }),
  });
  return { rendered: issues.length > 0 ? undefined : value, missing, issues };
}

/** Issues of a new JSON template; `path` is a JSON Pointer into it. Without issues it can be stored. */
export function checkJsonTemplate(body: JsonValue): TemplateIssue[] {
  if (isDeeper(body, MAX_JSON_DEPTH)) {
    return [{ path: '', message: `must not be nested deeper than ${MAX_JSON_DEPTH} levels` }];
  }
  const issues: TemplateIssue[] = [];
  fill(body, '', {
    text(source, pointer) {
      issues.push(...plainEngine.check(source, pointer));
      return source;
    },
    // The default is checked, too.
    value: (_path, _pointer, hasDefault) => (hasDefault ? undefined : null),
    malformed: (message, path) => issues.push({ path, message }),
  });
  return issues;
}

/** The reference of an object with `$value`, or the issue; null for any other object. */
function referenceIn(value: JsonObject): { path: ValuePath } | { message: string } | null {
  if (!Object.hasOwn(value, REFERENCE)) return null;
  if (Object.keys(value).some((key) => key !== REFERENCE && key !== DEFAULT)) {
    return { message: `must be alone in its object, or next to "${DEFAULT}"` };
  }
  const text = value[REFERENCE];
  const path = parseValuePath(typeof text === 'string' ? text : '');
  return 'message' in path ? path : { path };
}

/**
 * Copies `value` with its strings and references rendered; `pointer` is RFC 6901. The depth of stored JSON limits the
 * recursion.
 */
function fill(value: JsonValue, pointer: string, using: Fill): JsonValue {
  if (typeof value === 'string') return using.text(value, pointer);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item, index) => fill(item, `${pointer}/${index}`, using));
  const reference = referenceIn(value);
  if (reference && 'path' in reference) {
    const hasDefault = Object.hasOwn(value, DEFAULT);
    const found = using.value(reference.path, `${pointer}/${REFERENCE}`, hasDefault);
    return found === undefined ? fill(value[DEFAULT] ?? null, `${pointer}/${DEFAULT}`, using) : found;
  }
  if (reference) using.malformed?.(reference.message, `${pointer}/${REFERENCE}`);
  // fromEntries defines properties; assigning `__proto__` would set a prototype.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      fill(item, `${pointer}/${escapePointerSegment(key)}`, using),
    ]),
  );
}
