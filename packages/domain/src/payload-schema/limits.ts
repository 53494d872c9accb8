import type { FormatName } from 'ajv-formats';

/**
 * Limits of a payload schema. A schema within them compiles in a fraction of a second, and validating a payload takes
 * at most {@link MAX_VALIDATION_STEPS} steps.
 */

/** Longest schema as JSON text, in characters: a quarter of the largest body. */
export const MAX_PAYLOAD_SCHEMA_LENGTH = 65_536;

/**
 * All schemas of an environment together, as JSON text in bytes: every API process reads them again whenever the
 * environment's configuration changes or is 5 s old.
 */
export const MAX_PAYLOAD_SCHEMAS_BYTES = 2 * 1_024 * 1_024;

/** Subschemas in a schema: each becomes code, and this many compile in about 0.1 s. */
export const MAX_SUBSCHEMAS = 500;

/** Nesting depth of a schema: that of a request body, which the stack can recurse into. */
export const MAX_SCHEMA_DEPTH = 32;

/**
 * The longest chain of subschemas that apply to one value through references, `allOf` and the like. Together with a
 * payload's 32 levels it bounds the stack of a validation.
 */
export const MAX_CHAIN = 32;

/**
 * The total weight of all subschemas that apply to one value through references, `allOf` and the like, see
 * {@link weigh}. Otherwise thirty definitions that each reference the next twice would validate a value a billion
 * times.
 */
export const MAX_WEIGHT = 20_000;

/** Longest pattern in characters: the engine takes up to 0.3 s to find out that one of this length is too large. */
export const MAX_PATTERN_LENGTH = 1_000;

/** Instructions of one compiled pattern: matching takes up to this many steps per character. */
export const MAX_PATTERN_SIZE = 1_000;

/** Instructions of all patterns of a schema. */
export const MAX_PATTERNS_SIZE = 10_000;

/**
 * Steps of one validation. A step takes 10 to 70 ns, so the worst payload blocks a process for about 0.1 s. The largest
 * body (docs/specification.md, "Request bodies") with a schema that describes each of its values takes about half of
 * the steps.
 */
export const MAX_VALIDATION_STEPS = 2_000_000;

/**
 * Steps of the second validation, which reports all issues. It creates at most one error per step, of about 200 bytes.
 */
export const MAX_REPORT_STEPS = 100_000;

/** Further issues are not reported. */
export const MAX_SCHEMA_ISSUES = 50;

/** An issue of a schema; `path` is a JSON Pointer into it. */
export type PayloadSchemaIssue = { path: string; message: string };

/**
 * The supported formats: those of JSON Schema 2020-12 (validation section 7.3) except the internationalised ones, and
 * those of OpenAPI. Each takes linear time; the library's `url` does not and is left out.
 */
export const PAYLOAD_FORMATS = [
  'date-time',
  'date',
  'time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uri-reference',
  'uri-template',
  'uuid',
  'json-pointer',
  'relative-json-pointer',
  'regex',
  'int32',
  'int64',
  'float',
  'double',
  'password',
  'binary',
] as const satisfies readonly FormatName[];
