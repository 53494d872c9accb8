import type { SchemaObject } from 'ajv';

/** A JSON Schema 2020-12, which validates requests and is part of the OpenAPI document. */
export type JsonSchema = SchemaObject;

/** Patterns of settings, with what a text must be: a regular expression does not help most people. */
export const PATTERNS = {
  printableAscii: { pattern: '^[\\x20-\\x7e]+$', must: 'must be printable ASCII characters' },
  headerPrefix: {
    pattern: '^[A-Za-z0-9][A-Za-z0-9-]{0,30}-$',
    must: 'must be up to 32 letters, digits and -, begin with a letter or digit, and end with -',
  },
  visibleAscii: { pattern: '^[\\x21-\\x7e]+$', must: 'must be visible ASCII characters without spaces' },
  /** A sender's name, also used in the names of credentials, in attempts, figures and sender states. */
  accountName: {
    pattern: '^[a-z0-9][a-z0-9_-]{0,31}$',
    must: 'must be 1 to 32 of a-z, 0-9, _ and -, and begin with a letter or digit',
  },
  domain: {
    pattern: '^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$',
    must: 'must be a domain such as example.com; an internationalised one in its xn-- form',
  },
  /** A name in the DNS (RFC 6376 section 3.1). */
  dkimName: {
    pattern: '^[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?$',
    must: 'must consist of letters, digits, ., - and _, and begin and end with a letter or digit',
  },
  ehloName: {
    pattern:
      '^(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+|\\[[0-9A-Fa-fIPv.:]+\\])$',
    must: 'must be a host name with a dot, such as mail.example.com, or an address in brackets, such as [192.0.2.1]',
  },
} as const;

/** An object with exactly these properties, all required. */
export function record(description: string, properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', description, required: Object.keys(properties), properties };
}

/** The schema's value, or null. */
export function nullable(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'null' }] };
}

export const text = (description: string): JsonSchema => ({ type: 'string', description });
export const flag = (description: string): JsonSchema => ({ type: 'boolean', description });
export const wholeNumber = (description: string): JsonSchema => ({ type: 'integer', description });

/** A text in a request that must not be empty. */
export const requiredText = (maxLength: number, description: string): JsonSchema => ({
  type: 'string',
  minLength: 1,
  maxLength,
  description,
});

/** A text in a request that may be left out, or null. */
export const optionalText = (maxLength: number, description: string): JsonSchema => ({
  type: ['string', 'null'],
  minLength: 1,
  maxLength,
  default: null,
  description,
});

/** The most characters of a password, or of another secret that a person or a service chose. */
const MAX_PASSWORD_LENGTH = 1_024;

/** A secret in a request, such as a password. It is stored encrypted and never shown. `isNullable` if null removes it. */
export const secretText = (
  description: string,
  { maxLength = MAX_PASSWORD_LENGTH, isNullable = true } = {},
): JsonSchema => ({
  type: isNullable ? ['string', 'null'] : 'string',
  minLength: 1,
  maxLength,
  writeOnly: true,
  description,
});
