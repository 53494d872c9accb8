import { compilePayloadSchema, isJsonObject, type JsonObject, type JsonValue } from '@postrider/domain';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Detail } from '../http/reply.ts';
import { toPayloadDetails } from './details.ts';

/** Compiled schemas that are kept by their text; the oldest goes first. */
const MAX_COMPILED = 500;

/** Names every fault of a payload against a schema; none for a schema that asks for nothing (null). */
export type FindPayloadFaults = (schema: JsonValue, payload: JsonObject) => Detail[];

/** A schema that was stored past its check: no payload fulfils it, and the answer says where to look. */
const UNUSABLE: Detail = {
  path: '/payload',
  code: 'payload_schema_mismatch',
  message: 'cannot be validated: the payload schema of this event key is not usable and must be mended',
};

const alwaysUnusable = Symbol('a schema that does not compile');

type Compiled = ValidateFunction | typeof alwaysUnusable;

function compile(schema: JsonObject): Compiled {
  try {
    return compilePayloadSchema(schema);
  } catch {
    return alwaysUnusable;
  }
}

function faultsOf(compiled: Compiled, payload: JsonObject): Detail[] {
  if (compiled === alwaysUnusable) return [UNUSABLE];
  try {
    return compiled(payload) ? [] : toPayloadDetails(compiled.errors ?? []);
  } catch {
    return [UNUSABLE];
  }
}

/**
 * Creates the check of payloads against the schemas of event types. Compiles once per schema object; the
 * snapshots that hold them are replaced every few seconds, so an equal schema in a new snapshot is found by
 * its text.
 */
export function createPayloadCheck(): FindPayloadFaults {
  const byObject = new WeakMap<JsonObject, Compiled>();
  const byText = new Map<string, Compiled>();

  function compileOnce(schema: JsonObject): Compiled {
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
    if (!isJsonObject(schema)) return [];
    let compiled = byObject.get(schema);
    if (!compiled) {
      compiled = compileOnce(schema);
      byObject.set(schema, compiled);
    }
    return faultsOf(compiled, payload);
  };
}
