import { type DetailCode, escapePointerSegment } from '@postrider/domain';
import type { ErrorObject } from 'ajv';
import type { Detail } from '../http/reply.ts';
import { SENTENCE_OF_PATTERN } from './patterns.ts';

/** Bounds an answer: a body of 256 KiB can hold more than 100,000 faults. */
export const MAX_DETAILS = 200;
/**
 * Longest path of a fault, in characters: a key of the body can be as long as the body, and stand in every
 * path.
 */
const MAX_PATH_LENGTH = 256;

const CODE_OF_KEYWORD: Readonly<Record<string, DetailCode>> = {
  required: 'required',
  additionalProperties: 'unknown_field',
  unevaluatedProperties: 'unknown_field',
  type: 'invalid_type',
  format: 'invalid_format',
  pattern: 'invalid_format',
  maxLength: 'too_long',
  minLength: 'too_short',
  maximum: 'too_large',
  minimum: 'too_small',
  maxItems: 'too_many',
  maxProperties: 'too_many',
  minItems: 'too_few',
  uniqueItems: 'duplicate',
};

/**
 * Where a fault is: a missing or unknown property is named itself, not the object it is missing from, and so
 * is the one that says which of several forms a body has.
 */
function pathOf({ instancePath, keyword, params }: ErrorObject): string {
  const property: unknown =
    keyword === 'required'
      ? params.missingProperty
      : (params.additionalProperty ?? params.unevaluatedProperty ?? params.tag);
  return typeof property === 'string' ? `${instancePath}/${escapePointerSegment(property)}` : instancePath;
}

function codeOf({ keyword, params }: ErrorObject): DetailCode {
  if (keyword === 'discriminator' && params.tagValue === undefined) return 'required';
  return CODE_OF_KEYWORD[keyword] ?? 'invalid_value';
}

function sentence({ keyword, params, message }: ErrorObject): string {
  if (keyword === 'discriminator')
    return params.tagValue === undefined ? 'is required' : 'is not one of those known';
  if (keyword === 'required') return 'is required';
  if (keyword === 'additionalProperties') return 'is not a known field';
  if (keyword === 'format' && params.format === 'email') {
    return 'must be one bare e-mail address, such as ada@example.com';
  }
  if (keyword === 'format' && params.format === 'date-time') {
    return 'must be an RFC 3339 time with offset, such as 2026-11-21T09:30:00Z';
  }
  if (keyword === 'pattern') return SENTENCE_OF_PATTERN[String(params.pattern)] ?? message ?? 'is not valid';
  return message ?? 'is not valid';
}

/**
 * AJV's errors as details, at most {@link MAX_DETAILS}, their paths cut. AJV's messages quote the schema,
 * never the data.
 */
export function toDetails(errors: readonly ErrorObject[]): Detail[] {
  return errors.slice(0, MAX_DETAILS).map((error) => ({
    path: pathOf(error).slice(0, MAX_PATH_LENGTH),
    code: codeOf(error),
    message: sentence(error),
  }));
}

/** The faults of a payload against its event type's schema, with their paths under `/payload`. */
export function toPayloadDetails(errors: readonly ErrorObject[]): Detail[] {
  return toDetails(errors).map(({ path, message }) => ({
    path: `/payload${path}`,
    code: 'payload_schema_mismatch',
    message,
  }));
}
