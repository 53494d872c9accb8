import { PATTERNS } from '@postrider/channels';
import {
  ACTOR_NAME_PATTERN,
  CID_PATTERN,
  COLOR_PATTERN,
  CONSUMER_ID_PATTERN,
  CONTENT_TYPE_PATTERN,
  type Detail,
  type DetailCode,
  ENVIRONMENT_NAME_PATTERN,
  EVENT_KEY_PATTERN,
  escapePointerSegment,
  LOCALE_PATTERN,
  LOSES_DIGITS,
  MAX_INEXACT,
  PART_NAME_PATTERN,
  PLAIN_TEXT_PATTERN,
  PLAN_CODE_PATTERN,
  SEARCH_KEY_PATTERN,
  STREAM_SCHEMA,
} from '@postrider/domain';
import type { ErrorObject, SchemaObject } from 'ajv';
import { idPattern } from '../openapi/schema.ts';

/** Converts the JSON Pointers to numbers that would lose digits to details. */
export function toNumberDetails(pointers: readonly string[]): Detail[] {
  return pointers.map((path) => ({
    path: path.slice(0, MAX_PATH_LENGTH),
    code: 'too_large',
    message: LOSES_DIGITS,
  }));
}

/**
 * Those of the numbers that are within the value at a JSON Pointer. If there are so many that others may not have been found, the
 * value is not accepted without one.
 */
export function numberDetailsOf(within: string, pointers: readonly string[]): Detail[] {
  const inner = pointers.filter((path) => path.startsWith(`${within}/`));
  if (inner.length > 0 || pointers.length < MAX_INEXACT)
    return toNumberDetails(inner.map((path) => path.slice(within.length)));
  const message = `may have a number that loses digits: others of the request have ${MAX_INEXACT} of them`;
  return [{ path: '', code: 'too_large', message }];
}

/** Limits a response: a body of 256 KiB can have more than 100,000 issues. */
export const MAX_DETAILS = 200;
/** Longest path of an issue, in characters. A key can be as long as the body, and occur in every path. */
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
 * The path of an issue. For a missing or unknown property, and for the discriminator of several forms, it includes the
 * property itself.
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

/** Values that a message names; more would hide the rest of the response. */
const MAX_VALUES = 20;
const MAX_VALUE_CHARACTERS = 400;

/** `must be one of …`; null if the values are too many or too long for a message. */
function oneOfSentence(values: readonly unknown[]): string | null {
  const names = values.map((value) =>
    typeof value === 'string' && value !== '' ? value : JSON.stringify(value),
  );
  const list = names.join(', ');
  const fits = values.length > 0 && values.length <= MAX_VALUES && list.length <= MAX_VALUE_CHARACTERS;
  return fits ? `must be one of ${list}` : null;
}

/** The values that tell the forms of a schema with a discriminator apart. */
function tagValues({ params, parentSchema }: ErrorObject): unknown[] {
  const forms: readonly SchemaObject[] = parentSchema?.oneOf ?? [];
  return forms.flatMap(({ properties }) => {
    const { const: only, enum: several } = properties?.[params.tag] ?? {};
    return several ?? (only === undefined ? [] : [only]);
  });
}

function sentence(error: ErrorObject): string {
  const { keyword, params, message } = error;
  if (keyword === 'discriminator') {
    if (params.tagValue === undefined) return 'is required';
    return oneOfSentence(tagValues(error)) ?? 'is not a known value';
  }
  if (keyword === 'enum') return oneOfSentence(params.allowedValues) ?? message ?? 'is not valid';
  if (keyword === 'required') return 'is required';
  if (keyword === 'additionalProperties') return 'is not a known field';
  if (keyword === 'pattern') return SENTENCE_OF_PATTERN[String(params.pattern)] ?? message ?? 'is not valid';
  return message ?? 'is not valid';
}

/**
 * Converts AJV's errors to details, at most {@link MAX_DETAILS}, with truncated paths. AJV's messages quote the schema,
 * never the data.
 */
export function toDetails(errors: readonly ErrorObject[]): Detail[] {
  return errors.slice(0, MAX_DETAILS).map((error) => ({
    path: pathOf(error).slice(0, MAX_PATH_LENGTH),
    code: codeOf(error),
    message: sentence(error),
  }));
}

/** Converts the issues of a payload to details, with paths below `/payload`. */
export function toPayloadDetails(errors: readonly ErrorObject[]): Detail[] {
  return toDetails(errors).map(({ path, message }) => ({
    path: `/payload${path}`,
    code: 'payload_schema_mismatch',
    message,
  }));
}

/** Messages for patterns, because a regular expression does not help most people. */
const SENTENCE_OF_PATTERN: Readonly<Record<string, string>> = {
  [EVENT_KEY_PATTERN]:
    'must be two or more parts of a-z, 0-9, _ and -, separated by dots, such as order.shipped',
  [COLOR_PATTERN]: 'must be a colour, such as #0a7f5a',
  [PLAN_CODE_PATTERN]: 'must be 1 to 63 of a-z, 0-9, _ and -, and begin with a letter or digit',
  [ENVIRONMENT_NAME_PATTERN]: 'must be 1 to 63 of a-z, 0-9 and -, and begin with a letter or digit',
  [idPattern('chn')]: 'must be an id that begins with chn_',
  [LOCALE_PATTERN]: 'must be a language with an optional script and region, such as fr, fr-CA or zh-Hant-TW',
  [PART_NAME_PATTERN]: 'must be 1 to 64 of a-z, 0-9, _ and -, and begin with a letter or digit',
  [CONSUMER_ID_PATTERN]: 'must be 1 to 128 of A-Z, a-z, 0-9, _, ., : and -',
  [CID_PATTERN]: 'must be 1 to 64 of A-Z, a-z, 0-9, ., _ and -, and begin with a letter or digit',
  [CONTENT_TYPE_PATTERN]: 'must be a media type in lower case, such as application/pdf',
  [SEARCH_KEY_PATTERN]:
    'must be a JSON Pointer below the payload, such as /order_id, of letters, digits, _ and -',
  [STREAM_SCHEMA.pattern]: 'must consist of a-z, 0-9, ., _ and -, and begin and end with a letter or digit',
  ...Object.fromEntries(Object.values(PATTERNS).map(({ pattern, must }) => [pattern, must])),
  [ACTOR_NAME_PATTERN]: 'must be 1 to 128 visible ASCII characters',
  [PLAIN_TEXT_PATTERN]: 'must not contain line breaks or other control characters',
};
