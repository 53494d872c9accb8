import {
  addressIssue,
  type Detail,
  InvalidJsonError,
  invalid,
  isTimezone,
  type JsonValue,
  parseStorableJson,
  parseTimestamp,
  refuse,
  reject,
  toBareAddress,
} from '@postrider/domain';
import type { JSONSchemaType, SchemaObject, SchemaValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { MAX_DETAILS, toDetails, toNumberDetails } from './details.ts';

type Validated<Body> = { readonly body: Body; readonly issues: readonly [] };
export type Invalid = { readonly issues: readonly Detail[] };

/** Validates a body against a schema and reports every issue. */
export type ValidateBody<Body> = (body: JsonValue) => Validated<Body> | Invalid;

const FORMAT_MESSAGES: Readonly<Record<string, string>> = {
  'date-time': 'must be an RFC 3339 time with offset, such as 2026-11-21T09:30:00Z',
  'time-zone': 'must be an IANA time zone, such as Europe/Berlin',
};

/**
 * The keyword `format`. An address is replaced by its stored form, so that everything behind the validation sees one
 * form of a domain (docs/specification.md, "Recipients").
 */
const checkFormat: SchemaValidateFunction = (format: string, text: string, _schema, context) => {
  checkFormat.errors = undefined;
  if (format === 'date-time' && parseTimestamp(text) !== null) return true;
  if (format === 'time-zone' && isTimezone(text)) return true;
  const address = format === 'email' ? toBareAddress(text) : null;
  if (address !== null) {
    if (context && address !== text) context.parentData[context.parentDataProperty] = address;
    return true;
  }
  const message = format === 'email' ? addressIssue(text) : FORMAT_MESSAGES[format];
  checkFormat.errors = [{ keyword: 'format', params: { format }, message }];
  return false;
};

function createAjv(allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    strict: true,
    // The messages name the values that the schema allows.
    verbose: true,
    allowUnionTypes: true,
    discriminator: true,
    // Tests validate the schemas in the OpenAPI document. Here that would take longer than compiling all of them.
    meta: false,
    validateSchema: false,
  });
  ajv.removeKeyword('format');
  ajv.addKeyword({
    keyword: 'format',
    type: 'string',
    schemaType: 'string',
    modifying: true,
    validate: checkFormat,
  });
  return ajv;
}

/** Instances cache compiled schemas, so a second API in this process compiles none again. */
const AJV = { allErrors: createAjv(true), firstError: createAjv(false) };

/**
 * Compiles the schema of a request body, once per schema object. The schema is plain JSON Schema 2020-12, and the
 * OpenAPI document contains the same object. The domain defines the formats: `email` is one bare address, which is normalised, `date-time`
 * is RFC 3339 with offset, `time-zone` an IANA name. Without `allErrors` validation stops at the first issue. `eager` compiles at
 * once, so that not even the first request waits. Otherwise the schema is compiled with its first request, which saves a seventh
 * of the API's loading time; tests send every operation a body.
 */
export function compileBody<Body>(
  schema: SchemaObject | JSONSchemaType<Body>,
  { allErrors = true, eager = false }: { allErrors?: boolean; eager?: boolean } = {},
): ValidateBody<Body> {
  const compile = () => (allErrors ? AJV.allErrors : AJV.firstError).compile<Body>(schema);
  let validate = eager ? compile() : null;
  return (body) => {
    validate ??= compile();
    if (validate(body)) return { body, issues: [] };
    return { issues: toDetails(validate.errors ?? []) };
  };
}

/** Like {@link compileBody} with `eager`, but returns only the issues: for a body whose valid parts are read in any case. */
export function compileIssues(schema: SchemaObject): (body: JsonValue) => Detail[] {
  const validate = AJV.allErrors.compile(schema);
  return (body) => (validate(body) ? [] : toDetails(validate.errors ?? []));
}

/** A rule that a schema cannot express. */
export interface Rule<Body> {
  /** JSON Pointers to the values that the rule reads. It is only checked if these fulfil the schema. */
  readonly reads: readonly string[];
  readonly issuesOf: (body: Body) => readonly Detail[];
}

/** Whether the paths are equal, or one contains the other. */
const overlap = (one: string, other: string) =>
  `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);

/**
 * Adds rules that a schema cannot express. They are also checked for the valid parts of an invalid body, so that a
 * response reports every issue at once (docs/specification.md, "Error details").
 */
export function withRules<Body>(
  validate: ValidateBody<Body>,
  rules: readonly Rule<Body>[],
): ValidateBody<Body> {
  return (value) => {
    const validated = validate(value);
    const known = validated.issues;
    // If there are too many issues, not all of them are known.
    if (known.length >= MAX_DETAILS) return validated;
    const isValid = (pointer: string) => !known.some(({ path }) => overlap(path, pointer));
    const issues = rules
      .filter(({ reads }) => reads.every(isValid))
      .flatMap(({ issuesOf }) => issuesOf(value as Body));
    return issues.length > 0 ? { issues: [...known, ...issues] } : validated;
  };
}

/**
 * Parses a raw body. Refuses it with `invalid_json` and the reason, or with a 422 that names the numbers that would lose
 * digits.
 * @throws RefusedError
 */
export function parseBody(
  bytes: Uint8Array,
  parse: (bytes: Uint8Array) => JsonValue = parseStorableJson,
): JsonValue {
  try {
    return parse(bytes);
  } catch (error) {
    if (!(error instanceof InvalidJsonError)) throw error;
    const { message, inexact } = error;
    return reject(inexact ? invalid(toNumberDetails(inexact)) : refuse('invalid_json', { message }));
  }
}
