import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { escapePointerSegment, isDeeper, isJsonObject, type JsonObject } from '../storable-json.ts';
import { compilePayloadSchema } from './compile.ts';
import {
  MAX_PATTERN_LENGTH,
  MAX_PATTERNS_SIZE,
  MAX_PAYLOAD_SCHEMA_LENGTH,
  MAX_SCHEMA_DEPTH,
  MAX_SCHEMA_ISSUES,
  MAX_SUBSCHEMAS,
  PAYLOAD_FORMATS,
  type PayloadSchemaIssue,
} from './limits.ts';
import { compilePattern, PatternError } from './patterns.ts';
import { findSubschemas, followReferences, type Subschema } from './references.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/**
 * Returns the issues of a new schema: at most 50, and at most one about patterns. Without issues, payloads can be
 * validated against it. Issues are: invalid JSON Schema 2020-12, references that leave the schema or are circular,
 * patterns that cannot be matched in linear time, unknown formats, and anything beyond `limits.ts`.
 */
export function checkPayloadSchema(schema: JsonObject): PayloadSchemaIssue[] {
  const byText = new Map(issuesOf(schema).map((issue) => [`${issue.path} ${issue.message}`, issue]));
  return [...byText.values()].slice(0, MAX_SCHEMA_ISSUES);
}

function issuesOf(schema: JsonObject): PayloadSchemaIssue[] {
  if (isDeeper(schema, MAX_SCHEMA_DEPTH)) {
    return [{ path: '', message: `must be at most ${MAX_SCHEMA_DEPTH} levels deep` }];
  }
  if (JSON.stringify(schema).length > MAX_PAYLOAD_SCHEMA_LENGTH) {
    return [{ path: '', message: `must be at most ${MAX_PAYLOAD_SCHEMA_LENGTH} characters of JSON` }];
  }
  const byPointer = findSubschemas(schema);
  if (!byPointer) return [{ path: '', message: `must have at most ${MAX_SUBSCHEMAS} subschemas` }];
  const formal = formalIssues(schema);
  if (formal.length > 0) return formal;
  const subschemas = [...byPointer.values()];
  const issues = [
    ...followReferences(byPointer).issues,
    ...patternIssues(subschemas),
    ...subschemas.flatMap(formatIssues),
    ...subschemas.flatMap(nameIssues),
  ];
  return issues.length > 0 ? issues : remainingIssues(schema);
}

/** Checks schemas against the meta-schema and keeps none. Shared, because compiling the meta-schema takes 25 ms. */
const metaSchema = new Ajv2020({ strict: false, logger: false, validateFormats: false, allErrors: true });

/** Issues that the meta-schema finds. */
function formalIssues(schema: JsonObject): PayloadSchemaIssue[] {
  const { $schema = DIALECT } = schema;
  if ($schema !== DIALECT && $schema !== `${DIALECT}#`) {
    return [{ path: '/$schema', message: `must be ${DIALECT}: other drafts are not supported` }];
  }
  // References have their own message, and ids are not looked up.
  const { $id: _id, $schema: _dialect, ...rest } = schema;
  if (metaSchema.validateSchema(rest)) return [];
  return (metaSchema.errors ?? []).filter(isSpecific).map((error) => ({
    path: error.instancePath,
    message: error.message ?? 'is not valid in JSON Schema 2020-12',
  }));
}

/**
 * Leaves out errors without information: those of a choice's branches, and that a vocabulary of the meta-schema failed.
 */
const isSpecific = ({ keyword }: ErrorObject) =>
  !['allOf', 'anyOf', 'if', '$dynamicRef', '$ref'].includes(keyword);

/**
 * Returns only the first issue. A pattern must be compiled to find out that it is too large, so checking all of a
 * hostile schema's patterns would take seconds.
 */
function patternIssues(subschemas: readonly Subschema[]): PayloadSchemaIssue[] {
  let size = 0;
  for (const { path, source } of subschemas.flatMap(patternsOf)) {
    if (source.length > MAX_PATTERN_LENGTH) {
      return [{ path, message: `must be at most ${MAX_PATTERN_LENGTH} characters` }];
    }
    try {
      size += compilePattern(source).size;
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      return [{ path, message: error.message }];
    }
    if (size > MAX_PATTERNS_SIZE) {
      return [{ path, message: `the patterns of a schema may compile to ${MAX_PATTERNS_SIZE} instructions` }];
    }
  }
  return [];
}

function patternsOf({ pointer, schema }: Subschema): { path: string; source: string }[] {
  const { pattern, patternProperties } = schema;
  const keys = isJsonObject(patternProperties) ? Object.keys(patternProperties) : [];
  return [
    ...(typeof pattern === 'string' ? [{ path: `${pointer}/pattern`, source: pattern }] : []),
    ...keys.map((source) => ({
      path: `${pointer}/patternProperties/${escapePointerSegment(source)}`,
      source,
    })),
  ];
}

function formatIssues({ pointer, schema: { format } }: Subschema): PayloadSchemaIssue[] {
  if (format === undefined || (PAYLOAD_FORMATS as readonly unknown[]).includes(format)) return [];
  return [{ path: `${pointer}/format`, message: `must be one of ${PAYLOAD_FORMATS.join(', ')}` }];
}

/** Keywords with property names, and the name that the library ignores in them. */
const NAMES_PROPERTIES = ['properties', 'dependentSchemas', 'dependentRequired'];
const PASSED_OVER = '__proto__';

function nameIssues({ pointer, schema }: Subschema): PayloadSchemaIssue[] {
  return NAMES_PROPERTIES.filter((keyword) => {
    const named = schema[keyword];
    return isJsonObject(named) && Object.hasOwn(named, PASSED_OVER);
  }).map((keyword) => ({
    path: `${pointer}/${keyword}/${PASSED_OVER}`,
    message: 'is a name that payloads cannot have: use additionalProperties to refuse it',
  }));
}

/** Other errors that the library reports, such as duplicate anchors. */
function remainingIssues(schema: JsonObject): PayloadSchemaIssue[] {
  try {
    compilePayloadSchema(schema);
    return [];
  } catch (error) {
    return [
      { path: '', message: `cannot be used: ${error instanceof Error ? error.message : String(error)}` },
    ];
  }
}
