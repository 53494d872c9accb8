/** What {@link examineJson} finds in a text. */
interface JsonFindings {
  /** The index of the first character that is not JSON, the length if the text ends too early; null if it is JSON. */
  readonly errorAt: number | null;
  /** The keys and indexes that lead to each number that loses digits as a double, up to the error. */
  readonly inexact: readonly (readonly (string | number)[])[];
}

/** The most numbers that are returned. */
export const MAX_INEXACT = 200;
/** The most characters of a returned key: a long key can lead to many numbers. */
const MAX_KEY_CHARACTERS = 256;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERAL = /true|false|null/y;
const SPACE = /[ \t\n\r]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const ZERO_FRACTION = /\.0+$/;

/**
 * Whether a double loses digits of a number beyond 2^53, so that it would be written differently. A number with an
 * exponent is taken as a double.
 */
export function losesDigits(number: string): boolean {
  if (/e/i.test(number)) return false;
  const value = Number(number);
  return !(Math.abs(value) <= Number.MAX_SAFE_INTEGER) && String(value) !== number.replace(ZERO_FRACTION, '');
}

/** What can follow at a position of the text. */
type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma or end';

/**
 * Finds where a text stops being JSON, and its numbers beyond 2^53 that a double does not keep. It accepts what JSON.parse
 * accepts, in linear time, but takes several times as long: it is for texts that are refused.
 */
export function examineJson(text: string): JsonFindings {
  const inexact: (string | number)[][] = [];
  /** The key or index in each open object or array. */
  const path: (string | number)[] = [];
  const isList = () => typeof path.at(-1) === 'number';
  let at = 0;
  let expected = 'value' as Expected;

  /** The end of a match at the current position, or null. */
  const endOf = (pattern: RegExp): number | null => {
    pattern.lastIndex = at;
    return pattern.test(text) ? pattern.lastIndex : null;
  };
  /** Moves behind the string that begins here; false, with `at` at the error, if it is not valid. */
  const readString = (): boolean => {
    for (at += 1; at < text.length && text[at] !== '"'; ) {
      if (text.charCodeAt(at) < 0x20) return false;
      const end: number | null = text[at] === '\\' ? endOf(ESCAPE) : at + 1;
      if (end === null) return false;
      at = end;
    }
    if (at === text.length) return false;
    at += 1;
    return true;
  };
  const readNumber = (): boolean => {
    const end = endOf(NUMBER);
    if (end === null) return false;
    if (inexact.length < MAX_INEXACT && losesDigits(text.slice(at, end))) inexact.push([...path]);
    at = end;
    return true;
  };
  const open = (isArray: boolean): true => {
    at += 1;
    path.push(isArray ? 0 : '');
    expected = isArray ? 'value or ]' : 'key or }';
    return true;
  };
  const close = (): true => {
    at += 1;
    path.pop();
    expected = 'comma or end';
    return true;
  };
  const readValue = (): boolean => {
    const first = text[at];
    if (first === '{' || first === '[') return open(first === '[');
    if (first === ']' && expected === 'value or ]') return close();
    expected = 'comma or end';
    if (first === '"') return readString();
    const end = endOf(LITERAL);
    if (end === null) return readNumber();
    at = end;
    return true;
  };
  const readKey = (): boolean => {
    if (text[at] === '}' && expected === 'key or }') return close();
    const start = at;
    if (text[at] !== '"' || !readString()) return false;
    path[path.length - 1] = String(JSON.parse(text.slice(start, at))).slice(0, MAX_KEY_CHARACTERS);
    expected = 'colon';
    return true;
  };
  const readColon = (): boolean => {
    if (text[at] !== ':') return false;
    at += 1;
    expected = 'value';
    return true;
  };
  const readCommaOrEnd = (): boolean => {
    const character = text[at];
    if (path.length > 0 && character === (isList() ? ']' : '}')) return close();
    if (path.length === 0 || character !== ',') return false;
    at += 1;
    if (isList()) path[path.length - 1] = (path.at(-1) as number) + 1;
    expected = isList() ? 'value' : 'key';
    return true;
  };
  const read: Record<Expected, () => boolean> = {
    value: readValue,
    'value or ]': readValue,
    key: readKey,
    'key or }': readKey,
    colon: readColon,
    'comma or end': readCommaOrEnd,
  };

  for (;;) {
    at = endOf(SPACE) ?? at;
    if (at === text.length) {
      const isWhole = expected === 'comma or end' && path.length === 0;
      return { errorAt: isWhole ? null : at, inexact };
    }
    if (!read[expected]()) return { errorAt: at, inexact };
  }
}

/** The line and column of an index of a text, from 1. */
export function positionOf(text: string, index: number): { readonly line: number; readonly column: number } {
  const lines = text.slice(0, index).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
