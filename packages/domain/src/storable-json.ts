import { Buffer, isUtf8 } from 'node:buffer';

export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
export type JsonObject = { [key: string]: JsonValue };

/** Whether a value is a JSON object: neither null nor an array. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export type StorableJson = { ok: true; value: JsonValue } | { ok: false; reason: string };

/** Levels of nested objects and arrays in a request body: docs/specification.md, "Request bodies". */
export const MAX_JSON_DEPTH = 32;

/** A surrogate that is not half of a pair: with the `u` flag pairs are one code point and do not match. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Parses a request body into JSON that `jsonb` stores and returns unharmed, or says in one sentence why it
 * cannot: not UTF-8, not JSON, deeper than the limit (an object in an object is two levels), a string or key
 * with NUL or a lone surrogate (also written as an escape), a number that a double cannot hold. See
 * docs/specification.md, "Request bodies", `invalid_json`. A leading byte order mark is skipped (RFC 8259
 * section 8.1 allows it). Of keys given twice the last counts, and numbers have the precision of a double
 * (RFC 8259 section 6). Takes time linear in the body and stack that does not grow with its depth.
 */
export function parseStorableJson(
  bytes: Uint8Array,
  limits: { maxDepth: number } = { maxDepth: MAX_JSON_DEPTH },
): StorableJson {
  const parsed = parseJson(bytes);
  if (!parsed.ok) return parsed;
  const reason = whyUnstorable(parsed.value, limits.maxDepth);
  return reason === null ? parsed : { ok: false, reason };
}

/** Parses a body as {@link parseStorableJson} does, without looking at what can be stored. */
export function parseJson(bytes: Uint8Array): StorableJson {
  const text = decodeUtf8(bytes);
  if (text === null) return { ok: false, reason: 'The body is not valid UTF-8.' };
  if (text.trim() === '') return { ok: false, reason: 'The body is empty.' };
  return parse(text);
}

const BYTE_ORDER_MARK = '\ufeff';

/** Looks before it decodes, which is several times faster than a decoder that fails. */
function decodeUtf8(bytes: Uint8Array): string | null {
  if (!isUtf8(bytes)) return null;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

function parse(text: string): StorableJson {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    // The parser's message quotes the body, which may hold personal data that answers and logs must not
    // repeat.
    return { ok: false, reason: 'The body is not valid JSON.' };
  }
}

/** Why `jsonb` would not store a value and return it unharmed, in one sentence; null when it would. */
export function whyUnstorable(root: JsonValue, maxDepth: number = MAX_JSON_DEPTH): string | null {
  const open: { value: JsonValue; depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value !== 'object' || value === null) {
      const issue = findScalarIssue(value);
      if (issue !== null) return issue;
      continue;
    }
    if (depth === maxDepth) return `The body is nested deeper than ${maxDepth} levels.`;
    for (const [key, child] of Object.entries(value)) {
      const issue = findTextIssue(key);
      if (issue !== null) return issue;
      open.push({ value: child, depth: depth + 1 });
    }
  }
  return null;
}

function findScalarIssue(value: null | boolean | number | string): string | null {
  if (typeof value === 'string') return findTextIssue(value);
  if (typeof value === 'number' && !Number.isFinite(value)) return 'A number is too large to be stored.';
  return null;
}

function findTextIssue(text: string): string | null {
  if (text.includes('\u0000'))
    return 'A string or key holds the NUL character (\\u0000), which cannot be stored.';
  if (LONE_SURROGATE.test(text))
    return 'A string or key holds half of a surrogate pair, which cannot be stored.';
  return null;
}
