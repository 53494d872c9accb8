import { readFile } from 'node:fs/promises';
import {
  type IdPrefix,
  isBareEmailAddress,
  isEnvironmentName,
  isEventKey,
  isEventPattern,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseId,
  parseTimestamp,
  type RetryPolicy,
  validateRetryPolicy,
} from '@postrider/domain';
import { InvalidArgumentError } from 'commander';

/** Parsers for command line arguments; each throws commander's own error, which names the argument. */

export function id(prefix: IdPrefix) {
  return (text: string): string => {
    const uuid = parseId(prefix, text);
    if (!uuid) throw new InvalidArgumentError(`It must be an id such as ${prefix}_01….`);
    return uuid;
  };
}

export function eventKey(text: string): string {
  if (!isEventKey(text))
    throw new InvalidArgumentError('It must be dotted lower-case words, such as order.shipped.');
  return text;
}

/** Comma-separated event keys or patterns. */
export function eventPatterns(text: string): string[] {
  const patterns = text.split(',').map((pattern) => pattern.trim());
  if (!patterns.every(isEventPattern)) {
    throw new InvalidArgumentError(
      'It must be patterns such as *, order.* or order.shipped, separated by commas.',
    );
  }
  return patterns;
}

export function slug(text: string): string {
  if (!isEnvironmentName(text)) {
    throw new InvalidArgumentError('It must be lower-case letters, digits and hyphens, such as production.');
  }
  return text;
}

export function email(text: string): string {
  if (!isBareEmailAddress(text))
    throw new InvalidArgumentError('It must be one address, such as shop@example.com.');
  return text;
}

export function httpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new InvalidArgumentError('It must be an http:// or https:// address without a user name.');
  }
  return url.href;
}

export function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    }
    return value;
  };
}

export function time(text: string): Date {
  const value = parseTimestamp(text);
  if (!value) {
    throw new InvalidArgumentError('It must be a time with an offset, such as 2027-01-31T09:00:00Z.');
  }
  return value;
}

/** A retry policy as JSON. */
export function retryPolicy(text: string): RetryPolicy {
  const value = parseJson(text);
  const faults = validateRetryPolicy(value);
  if (faults.length > 0) {
    throw new InvalidArgumentError(
      faults.map(({ path, message }) => `${path || 'It'} ${message}.`).join(' '),
    );
  }
  return value as RetryPolicy;
}

function parseJson(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('It must be JSON.');
  }
}

/** Reads a file that holds a JSON object. */
export async function readJsonFile(path: string): Promise<JsonObject> {
  const value = parseJson(await readFile(path, 'utf8'));
  if (!isJsonObject(value)) throw new InvalidArgumentError(`${path} must hold a JSON object.`);
  return value;
}
