import type { SchemaObject } from 'ajv';
import { PLAIN_TEXT_PATTERN } from '../validation/patterns.ts';

/** The name that people give something: 1 to 255 characters on one line. */
export const NAME_SCHEMA = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  pattern: PLAIN_TEXT_PATTERN,
  description: 'For people.',
} as const satisfies SchemaObject;
