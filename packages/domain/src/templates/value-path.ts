import { isJsonObject, type JsonValue, MAX_JSON_DEPTH } from '../storable-json.ts';
import { variablesOf } from './context.ts';
import type { TemplateContext } from './template-types.ts';

/** The longest written path. Payloads are not nested deeper than these segments. */
const MAX_PATH_CHARACTERS = 256;
const MAX_SEGMENTS = MAX_JSON_DEPTH + 1;

/** The path of a value in the context of a template, such as `payload.items[0].price`. */
export interface ValuePath {
  /** Keys and indices, each with the position where it ends in the written path. */
  readonly segments: readonly { readonly key: string | number; readonly end: number }[];
  readonly text: string;
}

/** The first segment, then `.key`, `[0]` or `["any key"]`. Each alternative starts with a different character. */
const SEGMENT = /([A-Za-z_][\w-]*)|\.([A-Za-z_][\w-]*)|\[(\d{1,6})\]|\["([^"\]]*)"\]|\['([^'\]]*)'\]/y;

const USAGE = 'must be a path such as payload.items[0].price or payload["unit price"]';

/** Parses a path, or returns an error message. */
export function parseValuePath(text: string): ValuePath | { readonly message: string } {
  if (text.length > MAX_PATH_CHARACTERS) {
    return { message: `must not be longer than ${MAX_PATH_CHARACTERS} characters` };
  }
  const segments: { key: string | number; end: number }[] = [];
  let at = 0;
  while (at < text.length) {
    SEGMENT.lastIndex = at;
    const match = SEGMENT.exec(text);
    if (!match || (match[1] === undefined) === (at === 0)) return { message: USAGE };
    at = SEGMENT.lastIndex;
    const [, root, name, index, double, single] = match;
    const key = index === undefined ? (root ?? name ?? double ?? single ?? '') : Number(index);
    segments.push({ key, end: at });
  }
  if (segments.length === 0) return { message: USAGE };
  if (segments.length > MAX_SEGMENTS) return { message: `must not have more than ${MAX_SEGMENTS} segments` };
  return { segments, text };
}

/** The value, or the written path up to the missing part. */
type FoundValue = { readonly value: JsonValue } | { readonly missing: string };

/** Looks up a value. It only reads own properties and items, so no path leads to inherited ones. */
export function valueAt(context: TemplateContext, { segments, text }: ValuePath): FoundValue {
  let value: JsonValue | undefined = variablesOf(context);
  for (const { key, end } of segments) {
    value = childOf(value, key);
    if (value === undefined) return { missing: text.slice(0, end) };
  }
  return { value: value as JsonValue };
}

function childOf(value: JsonValue | undefined, key: string | number): JsonValue | undefined {
  if (Array.isArray(value)) return typeof key === 'number' ? value[key] : undefined;
  if (!isJsonObject(value) || !Object.hasOwn(value, key)) return undefined;
  return value[key];
}
