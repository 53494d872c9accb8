import type { FormatName } from 'ajv-formats';

/**
 * What a payload schema may cost at most. A schema within these bounds compiles in a fraction of a second, and
 * a payload is held against it for {@link MAX_VALIDATION_STEPS} steps and no more.
 */

/** Longest schema as JSON text, in characters: a quarter of the largest body. */
export const MAX_PAYLOAD_SCHEMA_LENGTH = 65_536;

/**
 * All schemas of an environment together, as JSON text in bytes: every API process reads them again whenever the
 * environment's configuration changes or is 5 s old.
 */
export const MAX_PAYLOAD_SCHEMAS_BYTES = 2 * 1_024 * 1_024;

/** Subschemas in a schema: each becomes code, and so many are compiled in about 0.1 s. */
export const MAX_SUBSCHEMAS = 500;

/** Levels of JSON: what a request body may have, and a recursion that the stack holds. */
export const MAX_SCHEMA_DEPTH = 32;

/**
 * Subschemas that one value may meet in a row through references, `allOf` and the like. With the 32 levels of a
 * payload it bounds the stack of a validation.
 */
export const MAX_CHAIN = 32;

/**
 * What one value may meet in all through references, `allOf` and the like, counted as in {@link weigh}: thirty
 * definitions that each name the next twice would else meet every value a billion times.
 */
export const MAX_WEIGHT = 20_000;

/** Longest pattern in characters: the engine takes up to 0.3 s to find that such a one is too large. */
export const MAX_PATTERN_LENGTH = 1_000;

/** Instructions of one compiled pattern: matching takes up to this many steps per character. */
export const MAX_PATTERN_SIZE = 1_000;

/** Instructions of all patterns of a schema. */
export const MAX_PATTERNS_SIZE = 10_000;

/**
 * Steps of one validation. A step takes 10 to 70 ns, so that the worst payload holds up a process for about
 * 0.1 s. The largest body (docs/specification.md, "Request bodies") against a schema that describes each of
 * its values takes about half of it.
 */
export const MAX_VALIDATION_STEPS = 2_000_000;

/**
 * Steps of the second validation, which tells every issue and not the first alone: it makes at most one error
 * per step, of about 200 bytes.
 */
export const MAX_REPORT_STEPS = 100_000;

/** A schema that is wrong in more places is named by its first. */
export const MAX_SCHEMA_ISSUES = 50;

/** What is wrong with a schema; `path` is a JSON Pointer into it. */
export type PayloadSchemaIssue = { path: string; message: string };

/**
 * The formats that payloads are held against: those of JSON Schema 2020-12 (validation section 7.3) but the
 * internationalised ones, and those of OpenAPI. Each reads its text once: the library's `url`, which does not,
 * is left out.
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
