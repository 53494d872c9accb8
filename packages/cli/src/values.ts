import { readFile } from 'node:fs/promises';
import { InvalidArgumentError } from 'commander';
import { type Io, readStdin } from './io.ts';
import { UsageError } from './usage-error.ts';

// Readers of option values. What is right beyond the form, the service says: it reports every issue at once.

/** A whole number of at most 15 digits. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

/** What takes a value away; the API's null. Commander itself cannot hold a null. */
export const NONE = 'none';

/** A whole number, or `none`. */
export function limit(text: string): number | typeof NONE {
  return text === NONE ? NONE : wholeNumber(text);
}

/** An option's value as the API takes it: null for `none`, undefined when it was left out. */
export function nullable<Value>(value: Value | typeof NONE | undefined): Value | null | undefined {
  return value === NONE ? null : value;
}

/** Words separated by commas. */
export function list(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);
}

export type JsonObject = Record<string, unknown>;

/** The JSON object that a text is; `source` is how an error names the text. */
export function parseObject(text: string, source: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${source} is not JSON: ${(error as Error).message}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new UsageError(`${source} must be a JSON object.`);
}

/** A JSON object as an option's value. */
export function jsonObject(text: string): JsonObject {
  try {
    return parseObject(text, 'It');
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

/** A JSON object, or `none`. */
export function jsonObjectOrNone(text: string): JsonObject | typeof NONE {
  return text === NONE ? NONE : jsonObject(text);
}

/** The text of a file; `-` is stdin. */
export async function readText(io: Io, path: string): Promise<string> {
  return path === '-' ? readStdin(io) : readFile(path, 'utf8');
}

/** The JSON object in a file; `-` is stdin. */
export async function readJsonObject(io: Io, path: string): Promise<JsonObject> {
  return parseObject(await readText(io, path), path === '-' ? 'What came on stdin' : path);
}

/** The fields that were given; those left out are not there at all. */
export function given<Fields extends JsonObject>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<Fields>;
}
