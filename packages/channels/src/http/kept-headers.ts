import type { HeaderList } from '../sender.ts';

/** Characters of response headers that are stored, names and values together. */
const MAX_LENGTH = 4_096;
/** Names of headers with values that grant access. */
const SECRET_NAME = /authorization|cookie|signature|token|secret|password|(?:^|-)key(?:-|$)|api-?key/i;
export const MASKED = '(masked)';

const asTexts = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(String);

/** Masks the values of headers that grant access. */
export function maskHeaders(headers: Readonly<Record<string, unknown>>): HeaderList {
  return Object.entries(headers).flatMap(([name, value]) =>
    asTexts(value).map((text): [string, string] => [name, SECRET_NAME.test(name) ? MASKED : text]),
  );
}

/** The first 4 KiB of response headers, with secrets masked and without NUL, which PostgreSQL cannot store. */
export function keptHeaders(headers: Readonly<Record<string, unknown>>): HeaderList {
  const kept: [string, string][] = [];
  let left = MAX_LENGTH;
  for (const [name, value] of maskHeaders(headers)) {
    left -= name.length + value.length;
    if (left < 0) break;
    kept.push([name, value.replaceAll('\0', '')]);
  }
  return kept;
}
