import type { JsonObject, JsonValue } from '@postrider/domain';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Detail } from '../http/reply.ts';
import { toPayloadDetails } from './details.ts';

/** Compiled schemas that are kept by their text; the oldest goes first. */
const MAX_COMPILED = 500;

/** Names every fault of a payload against a schema; none for a schema that asks for nothing (null). */
export type FindPayloadFaults = (schema: JsonValue, payload: JsonObject) => Detail[];

/**
 * An AJV of its own for every schema: two tenants may use one `$id`. Keywords that AJV does not know are
 * annotations, as JSON Schema says, and so is `$async`, with which AJV would answer with a promise. The schema
 * itself is checked where it is stored, not at every event.
 */
function compile({ $async: _annotation, ...schema }: JsonObject): ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: false, logger: false });
  addFormats.default(ajv);
  return ajv.compile(schema);
}

/**
 * Creates the check of payloads against the schemas of event types. Compiles once per schema object; the snapshots
 * that hold them are replaced every few seconds, so an equal schema in a new snapshot is found by its text.
 */
export function createPayloadCheck(): FindPayloadFaults {
  const byObject = new WeakMap<JsonObject, ValidateFunction>();
  const byText = new Map<string, ValidateFunction>();

  function compileOnce(schema: JsonObject): ValidateFunction {
    const text = JSON.stringify(schema);
    const known = byText.get(text);
    if (known) return known;
    const compiled = compile(schema);
    const [oldest] = byText.keys();
    if (byText.size >= MAX_COMPILED && oldest !== undefined) byText.delete(oldest);
    byText.set(text, compiled);
    return compiled;
  }

  return (schema, payload) => {
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return [];
    let validate = byObject.get(schema);
    if (!validate) {
      validate = compileOnce(schema);
      byObject.set(schema, validate);
    }
    return validate(payload) ? [] : toPayloadDetails(validate.errors ?? []);
  };
}
