import { Buffer, isUtf8 } from 'node:buffer';
import { examineJson, losesDigits, positionOf } from './json-text.ts';

export { MAX_INEXACT, positionOf } from './json-text.ts';

export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
export type JsonObject = { [key: string]: JsonValue };

/** Whether a value is a JSON object: neither null nor an array. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Thrown if a body is not JSON or cannot be stored. The message is the reason in one sentence. */
export class InvalidJsonError extends Error {
  /** JSON Pointers to the numbers that cannot be kept, if these are the reason. */
  readonly inexact: readonly string[] | null;

  constructor(reason: string, inexact: readonly string[] | null = null) {
    super(reason);
    this.inexact = inexact;
  }
}

/** Levels of nested objects and arrays in a request body: docs/specification.md, "Request bodies". */
export const MAX_JSON_DEPTH = 32;

const TOO_LARGE = 'A number is too large to be stored.';
/**
 * The zeros that PostgreSQL may write for the exponents of a body: it writes 1e308 as 309 digits, so that a message of 240 KB
 * could be read as 12 MB.
 */
const MAX_ZEROS = 256 * 1024;
/** A double with a smaller exponent is 0. */
const MAX_EXPONENT = 324;
/** A double has at most 17 digits. With a larger exponent it is written as zeros and these. */
const MOST_DIGITS = 17;
const MANY_ZEROS = `The exponents of the numbers stand for more than ${MAX_ZEROS} zeros, which would be stored.`;
const HAS_NUL = 'A string or key contains the NUL character (\\u0000), which cannot be stored.';
/** Why a number beyond 2^53 is refused; it follows the number's path. */
export const LOSES_DIGITS = 'is beyond 2^53 and would lose digits: send it as a string';
const HALF_A_PAIR = 'A string or key contains half of a surrogate pair, which cannot be stored.';
const tooDeep = (maxDepth: number) => `The body is nested deeper than ${maxDepth} levels.`;

/**
 * Parses a request body to JSON that `jsonb` stores and returns unchanged. It refuses a body that is not
 * UTF-8, not JSON, nested too deeply (an object in an object is two levels), a string or key with NUL or a lone
 * surrogate (escaped or not), or a number that a double cannot hold, or beyond 2^53 cannot keep, or exponents
 * that stand for too many zeros. See docs/specification.md, "Request bodies". Skips a leading byte order mark (RFC 8259 section
 * 8.1 allows it). The last of duplicate keys counts, and fractions have the precision of a double (RFC 8259 section 6). Takes
 * time linear in the body and constant stack.
 * @throws InvalidJsonError
 */
export function parseStorableJson(
  bytes: Uint8Array,
  limits: { maxDepth: number } = { maxDepth: MAX_JSON_DEPTH },
): JsonValue {
  const { reason, isExact } = scanJson(bytes, limits.maxDepth);
  if (reason !== null) throw new InvalidJsonError(reason);
  const value = parseJson(bytes);
  if (isExact) return value;
  const inexact = findInexact(bytes);
  throw new InvalidJsonError(`The number at ${inexact.join(', ')} ${LOSES_DIGITS}.`, inexact);
}

/** JSON Pointers to the numbers of a JSON text that lose digits as a double, at most {@link MAX_INEXACT}, with truncated keys. */
export function findInexact(bytes: Uint8Array): string[] {
  return examineJson(decodeUtf8(bytes) ?? '').inexact.map((path) =>
    path.map((segment) => `/${escapePointerSegment(String(segment))}`).join(''),
  );
}

/**
 * Like {@link parseStorableJson}, but does not check whether the value can be stored. Without `maxDepth` it takes JSON of any
 * depth, which takes several times as long to parse as flat JSON of the same size.
 * @throws InvalidJsonError
 */
export function parseJson(bytes: Uint8Array, { maxDepth }: { maxDepth?: number } = {}): JsonValue {
  if (maxDepth !== undefined && isNestedDeeper(bytes, maxDepth))
    throw new InvalidJsonError(tooDeep(maxDepth));
  const text = decodeUtf8(bytes);
  if (text === null) throw new InvalidJsonError('The body is not valid UTF-8.');
  if (text.trim() === '') throw new InvalidJsonError('The body is empty.');
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // The parser's message quotes the body. It may contain personal data, which responses and logs must not repeat.
    const at = examineJson(text).errorAt ?? text.length;
    const { line, column } = positionOf(text, at);
    const what = at === text.length ? ': it ends too early,' : '';
    throw new InvalidJsonError(`The body is not valid JSON${what} at line ${line}, column ${column}.`);
  }
}

const BYTE_ORDER_MARK = '\ufeff';

/** Validates before decoding, which is several times faster than a decoder that fails. */
function decodeUtf8(bytes: Uint8Array): string | null {
  if (!isUtf8(bytes)) return null;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const LOWER_U = 0x75;
/** With this bit set `[` is `{`, `]` is `}`, and E is e. */
const LOWER = 0x20;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const LOWER_E = 0x65;

const isDigit = (byte: number) => byte >= ZERO && byte <= NINE;
/** A shorter number with an exponent of at most two digits is less than 10^299. */
const SAFE_NUMBER_LENGTH = 200;
const SAFE_EXPONENT_LENGTH = 2;
/** A shorter number without an exponent is less than 2^53. */
const EXACT_NUMBER_LENGTH = 15;

interface Scan {
  /** Why `jsonb` could not store and return the text unchanged, in one sentence; null if nothing was found. */
  readonly reason: string | null;
  /** Whether all numbers keep their digits as doubles, if there is no reason. */
  readonly isExact: boolean;
}

/**
 * Scans a JSON text for what cannot be stored. May find nothing in invalid JSON. Reads the text and not the parsed value,
 * because walking a large value takes several times as long as parsing it.
 */
export function scanJson(bytes: Uint8Array, maxDepth: number = MAX_JSON_DEPTH): Scan {
  const refuse = (reason: string): Scan => ({ reason, isExact: true });
  let depth = 0;
  let isExact = true;
  let zeros = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      for (at += 1; at < bytes.length && bytes[at] !== QUOTE; at += 1) {
        if (bytes[at] !== BACKSLASH) continue;
        at += 1;
        if (bytes[at] !== LOWER_U) continue;
        const unit = codeUnitAt(bytes, at + 1);
        if (unit === 0) return refuse(HAS_NUL);
        at += 4;
        if (unit < 0xd800 || unit > 0xdfff) continue;
        const isPair = unit < 0xdc00 && isLowSurrogateEscape(bytes, at + 1);
        if (!isPair) return refuse(HALF_A_PAIR);
        at += 6;
      }
    } else if ((byte | LOWER) === OPEN) {
      depth += 1;
      if (depth > maxDepth) return refuse(tooDeep(maxDepth));
    } else if ((byte | LOWER) === CLOSE) {
      depth -= 1;
    } else if (byte === MINUS || isDigit(byte)) {
      const end = endOfNumber(bytes, at);
      if (end < 0) return refuse(TOO_LARGE);
      zeros += Math.min(MAX_EXPONENT, Math.abs(exponentOf(bytes, at, end)));
      if (zeros > MAX_ZEROS) return refuse(MANY_ZEROS);
      if (isExact && end - at > EXACT_NUMBER_LENGTH) isExact = !losesDigits(latin1Of(bytes, at, end));
      at = end - 1;
    }
  }
  return { reason: null, isExact };
}

/**
 * Whether a JSON text is nested deeper than `maxDepth` levels, whatever else is in it. Stops at the first level beyond. In
 * invalid JSON it is exact up to where a parser stops.
 */
export function isNestedDeeper(bytes: Uint8Array, maxDepth: number): boolean {
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      for (at += 1; at < bytes.length && bytes[at] !== QUOTE; at += 1) if (bytes[at] === BACKSLASH) at += 1;
    } else if ((byte | LOWER) === OPEN) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if ((byte | LOWER) === CLOSE) {
      depth -= 1;
    }
  }
  return false;
}

/** Whether a value has more than `levels` levels of objects and arrays. */
export function isDeeper(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}

/** The code unit of the four hexadecimal digits at an offset; NaN if they are not hexadecimal. */
function codeUnitAt(bytes: Uint8Array, at: number): number {
  let unit = 0;
  for (let index = at; index < at + 4; index += 1) {
    const byte = bytes[index] ?? 0;
    const lower = byte | LOWER;
    if (isDigit(byte)) unit = unit * 16 + byte - ZERO;
    else if (lower >= 0x61 && lower <= 0x66) unit = unit * 16 + lower - 0x57;
    else return Number.NaN;
  }
  return unit;
}

function isLowSurrogateEscape(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== BACKSLASH || bytes[at + 1] !== LOWER_U) return false;
  const unit = codeUnitAt(bytes, at + 2);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** The offset after the number that begins at `start`; -1 if a double cannot hold it. */
function endOfNumber(bytes: Uint8Array, start: number): number {
  let end = start + 1;
  let exponentAt = -1;
  for (; end < bytes.length; end += 1) {
    const byte = bytes[end] as number;
    if (isDigit(byte) || byte === 0x2e || byte === MINUS || byte === 0x2b) continue;
    if ((byte | LOWER) !== LOWER_E) break;
    exponentAt = end;
  }
  const isShort = end - start <= SAFE_NUMBER_LENGTH;
  if (isShort && (exponentAt < 0 || end - exponentAt <= SAFE_EXPONENT_LENGTH + 1)) return end;
  return Math.abs(Number(latin1Of(bytes, start, end))) === Number.POSITIVE_INFINITY ? -1 : end;
}

/** The exponent of a number; 0 if it has none. */
function exponentOf(bytes: Uint8Array, start: number, end: number): number {
  for (let at = end - 1; at > start; at -= 1) {
    if (((bytes[at] as number) | LOWER) === LOWER_E) return Number(latin1Of(bytes, at + 1, end));
  }
  return 0;
}

const latin1Of = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');

/** A lone surrogate. With the `u` flag a pair is one code point and does not match. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Like {@link scanJson}, for a parsed value, whose numbers have lost their digits already. */
export function whyUnstorable(value: JsonValue, maxDepth: number = MAX_JSON_DEPTH): string | null {
  let zeros = 0;
  function find(value: JsonValue, levels: number): string | null {
    if (typeof value === 'string') return findInText(value);
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) return TOO_LARGE;
      const exponent = value === 0 ? 0 : Math.abs(Math.log10(Math.abs(value)));
      if (exponent > MOST_DIGITS) zeros += exponent;
      return zeros > MAX_ZEROS ? MANY_ZEROS : null;
    }
    if (typeof value !== 'object' || value === null) return null;
    if (levels === 0) return tooDeep(maxDepth);
    for (const key of Array.isArray(value) ? [] : Object.keys(value)) {
      const issue = findInText(key);
      if (issue !== null) return issue;
    }
    for (const child of Array.isArray(value) ? value : Object.values(value)) {
      const issue = find(child, levels - 1);
      if (issue !== null) return issue;
    }
    return null;
  }
  return find(value, maxDepth);
}

function findInText(text: string): string | null {
  if (text.includes('\u0000')) return HAS_NUL;
  return LONE_SURROGATE.test(text) ? HALF_A_PAIR : null;
}

/** One key as a segment of a JSON Pointer, without its slash: RFC 6901 section 3. */
export function escapePointerSegment(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/**
 * Applies a JSON Merge Patch to an object (RFC 7396 section 2): members that the patch does not name stay, null removes
 * a member, objects are merged, and any other value, including an array, replaces the old one. Changes neither
 * argument. `patch` comes from a request body, whose depth is bounded.
 */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const merged = new Map<string, JsonValue>(Object.entries(target));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else if (isJsonObject(value)) merged.set(name, mergePatch(objectOrEmpty(merged.get(name)), value));
    else merged.set(name, value);
  }
  // Defines each member as an own property, even `__proto__`.
  return Object.fromEntries(merged);
}

function objectOrEmpty(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
