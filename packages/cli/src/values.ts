import { readFile } from 'node:fs/promises';
import {
  InvalidJsonError,
  isJsonObject,
  type JsonValue,
  parseStorableJson,
  parseTimestamp,
} from '@postrider/domain';
import { InvalidArgumentError, Option } from 'commander';
import { UsageError } from './exit-codes.ts';
import { type Io, readStdin } from './io.ts';

// Parsers of option values. They only check the form; the service validates the rest and reports every issue at once.

/** Makes a parser of texts that match. */
const matching =
  <Value>(pattern: RegExp, what: string, read: (text: string) => Value) =>
  (text: string): Value => {
    if (!pattern.test(text)) throw new InvalidArgumentError(`It must be ${what}.`);
    return read(text);
  };

/** A whole number of at most 15 digits. */
export const wholeNumber = matching(/^\d{1,15}$/, 'a whole number', Number);

/** A text of 1 to 500 characters without line breaks and other control characters. */
export const printable = matching(/^\P{Cc}{1,500}$/u, '1 to 500 printable characters', String);

export const trueOrFalse = matching(/^(?:true|false)$/, 'true or false', (text) => text === 'true');

/** A number above 0. */
export const rate = matching(/^\d{1,9}(\.\d{1,6})?$/, 'a number, such as 0.5', Number);

/** A time with an offset. */
export function timestamp(text: string): Date {
  const parsed = parseTimestamp(text);
  if (parsed === null) throw new InvalidArgumentError('It must be like 2026-11-21T09:00:00Z.');
  return parsed;
}

/** Words separated by commas. */
export function list(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);
}

export type JsonObject = Record<string, unknown>;

/**
 * Parses a JSON object as the service does, so that no number loses digits before it is sent. `source` names the text in
 * error messages.
 */
export function parseObject(text: string, source: string): JsonObject {
  let value: JsonValue;
  try {
    value = parseStorableJson(Buffer.from(text));
  } catch (error) {
    if (!(error instanceof InvalidJsonError)) throw error;
    // Its sentences are about the body of a request.
    const reason = text.includes('\n') ? error.message : error.message.replace(' line 1,', '');
    throw new UsageError(reason.replace(/^The body/, source));
  }
  if (isJsonObject(value)) return value;
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

/** The text of a file; `-` is stdin. */
export async function readText(io: Io, path: string): Promise<string> {
  return path === '-' ? readStdin(io) : readFile(path, 'utf8');
}

/** The JSON object in a file; `-` is stdin. */
export async function readJsonObject(io: Io, path: string): Promise<JsonObject> {
  return parseObject(await readText(io, path), path === '-' ? 'The input on stdin' : path);
}

/** The given fields, without those that were left out. */
export function given<Fields extends JsonObject>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<Fields>;
}

/** `--payload-file`, which would silently win over `--payload`. */
export const payloadFileOption = () =>
  new Option('--payload-file <path>', 'the payload from a file; - is stdin').conflicts('payload');
