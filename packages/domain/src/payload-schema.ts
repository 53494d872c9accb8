import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonObject } from './storable-json.ts';

/** Longest schema as JSON text, in characters: a quarter of the largest body. */
export const MAX_PAYLOAD_SCHEMA_LENGTH = 65_536;

/** What is wrong with a schema; `path` is a JSON Pointer into it. */
export type PayloadSchemaFault = { path: string; message: string };

function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, strict: false, logger: false });
  addFormats.default(ajv);
  return ajv;
}

/**
 * Compiles a payload schema (JSON Schema 2020-12) with an AJV of its own: two tenants may use one `$id`.
 * Keywords that AJV does not know are annotations, as JSON Schema says, and so is `$async`, with which AJV
 * would answer with a promise. Throws for a schema in which {@link checkPayloadSchema} finds faults.
 */
export function compilePayloadSchema({ $async: _annotation, ...schema }: JsonObject): ValidateFunction {
  return createAjv().compile(schema);
}

/**
 * The faults of a schema that is to be stored; none when payloads can be validated against it. Refused are
 * what is no JSON Schema, references that lead outside it or round in a circle, and text beyond {@link
 * MAX_PAYLOAD_SCHEMA_LENGTH}.
 */
export function checkPayloadSchema(schema: JsonObject): PayloadSchemaFault[] {
  if (JSON.stringify(schema).length > MAX_PAYLOAD_SCHEMA_LENGTH) {
    return [{ path: '', message: `must be at most ${MAX_PAYLOAD_SCHEMA_LENGTH} characters of JSON` }];
  }
  const ajv = createAjv();
  if (!ajv.validateSchema(schema)) {
    return (ajv.errors ?? []).map(({ instancePath, message }) => ({
      path: instancePath,
      message: message ?? 'is not valid in JSON Schema 2020-12',
    }));
  }
  try {
    // A reference that leads round in a circle is found only when the schema is used.
    compilePayloadSchema(schema)({});
    return [];
  } catch (error) {
    const reason = error instanceof RangeError ? 'a reference leads round in a circle' : String(error);
    return [{ path: '', message: `cannot be used: ${reason}` }];
  }
}
