import { escapePointerSegment } from '../json-pointer.ts';
import { type JsonValue, MAX_JSON_DEPTH } from '../storable-json.ts';
import { messageOfIssues, plainEngine } from './engine.ts';
import { MAX_RENDERED_CHARACTERS } from './metering.ts';
import type { MissingVariable, TemplateContext, TemplateIssue } from './template-types.ts';

export type RenderedJson = { ok: true; value: JsonValue } | { ok: false; message: string };

const tooMuchRendered = `more than ${MAX_RENDERED_CHARACTERS} characters were rendered`;

/**
 * Fills in a webhook's JSON template: every string in it that is not a key is a template of its own and
 * becomes the string that it renders to, so no value can change the structure
 * (docs/specification.md, "Templates"). Keys, numbers, booleans and null stay as they are. The message of a
 * failure names the place as a JSON Pointer into `body`.
 */
export function renderJsonTemplate(body: JsonValue, context: TemplateContext): RenderedJson {
  let room = MAX_RENDERED_CHARACTERS;
  const failures: string[] = [];
  const value = mapLeaves(body, '', (source, pointer) => {
    // One failure is enough, and a template of many slow leaves must not go on.
    if (failures.length > 0) return source;
    const rendered = plainEngine.render(source, pointer, context);
    if (!rendered.ok) {
      failures.push(`${pointer}: ${messageOfIssues(rendered.issues)}`);
      return source;
    }
    room -= rendered.text.length;
    if (room < 0) failures.push(`${pointer}: ${tooMuchRendered}`);
    return rendered.text;
  });
  const [message] = failures;
  return message === undefined ? { ok: true, value } : { ok: false, message };
}

/** As an email's preview; `path` are JSON Pointers into the template. */
export type JsonPreview = {
  rendered: JsonValue | undefined;
  missing: MissingVariable[];
  issues: TemplateIssue[];
};

/** Renders a JSON template to be looked at; `rendered` is undefined when a leaf of it cannot be rendered. */
export function previewJsonTemplate(body: JsonValue, context: TemplateContext): JsonPreview {
  const missing: MissingVariable[] = [];
  const issues: TemplateIssue[] = [];
  let room = MAX_RENDERED_CHARACTERS;
  const value = mapLeaves(body, '', (source, pointer) => {
    if (room < 0) return source;
    const previewed = plainEngine.preview(source, pointer, context);
    missing.push(...previewed.missing);
    issues.push(...previewed.issues);
    room -= previewed.text?.length ?? 0;
    if (room < 0) issues.push({ path: pointer, message: tooMuchRendered });
    return previewed.text ?? source;
  });
  return { rendered: issues.length > 0 ? undefined : value, missing, issues };
}

/** The issues of a new JSON template, `path` a JSON Pointer into it; none means that it can be stored. */
export function checkJsonTemplate(body: JsonValue): TemplateIssue[] {
  if (isDeeper(body, MAX_JSON_DEPTH)) {
    return [{ path: '', message: `must not be nested deeper than ${MAX_JSON_DEPTH} levels` }];
  }
  const issues: TemplateIssue[] = [];
  mapLeaves(body, '', (source, pointer) => {
    issues.push(...plainEngine.check(source, pointer));
    return source;
  });
  return issues;
}

/**
 * A copy of `value` with each string leaf replaced; `pointer` is RFC 6901. The depth of stored JSON bounds
 * the recursion.
 */
function mapLeaves(
  value: JsonValue,
  pointer: string,
  replace: (leaf: string, pointer: string) => string,
): JsonValue {
  if (typeof value === 'string') return replace(value, pointer);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return value.map((item, index) => mapLeaves(item, `${pointer}/${index}`, replace));
  // fromEntries defines, where assignment would set a prototype by the key `__proto__`.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      mapLeaves(item, `${pointer}/${escapePointerSegment(key)}`, replace),
    ]),
  );
}

function isDeeper(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}
