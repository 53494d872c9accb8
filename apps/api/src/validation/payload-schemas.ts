import { type Detail, isJsonObject, type JsonObject, type JsonValue, LRUCache } from '@postrider/domain';
import { compilePayloadSchema, type ValidatePayload } from '@postrider/domain/payload-schema';
import { toPayloadDetails } from './details.ts';

/** Total characters of the schemas that are cached by their text. The least recently used one is evicted. */
const MAX_COMPILED_CHARACTERS = 4 * 1_024 * 1_024;

/** Validates a payload and returns every issue; none if the schema is null. */
export type FindPayloadIssues = (schema: JsonValue, payload: JsonObject) => Detail[];

const mismatch = (message: string): Detail => ({
  path: '/payload',
  code: 'payload_schema_mismatch',
  message,
});

/** For a schema that was stored without its check: every payload is refused, with a message that names the cause. */
const UNUSABLE = mismatch(
  'cannot be validated: the payload schema of this event key cannot be used and must be fixed',
);

/** Validating this payload would exceed the step limit. */
const TOO_COSTLY = mismatch('is too large to be validated against the payload schema of this event key');

type Compiled = ValidatePayload | 'unusable';

function compile(schema: JsonObject): Compiled {
  try {
    return compilePayloadSchema(schema);
  } catch {
    return 'unusable';
  }
}

function issuesOf(compiled: Compiled, payload: JsonObject): Detail[] {
  if (compiled === 'unusable') return [UNUSABLE];
  const checked = compiled(payload);
  switch (checked.outcome) {
    case 'valid':
      return [];
    case 'invalid':
      return toPayloadDetails(checked.errors);
    case 'too_costly':
      return [TOO_COSTLY];
  }
}

/**
 * Creates the validation of payloads. Compiles once per schema object. Because snapshots are replaced every few
 * seconds, an equal schema in a new snapshot is found by its text.
 */
export function createPayloadCheck(): FindPayloadIssues {
  const byObject = new WeakMap<JsonObject, Compiled>();
  const byText = new LRUCache<string, Compiled>({
    maxSize: MAX_COMPILED_CHARACTERS,
    sizeCalculation: (_, text) => text.length,
  });

  function compileOnce(schema: JsonObject): Compiled {
    const text = JSON.stringify(schema);
    const known = byText.get(text);
    if (known) return known;
    const compiled = compile(schema);
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
    return issuesOf(compiled, payload);
  };
}
