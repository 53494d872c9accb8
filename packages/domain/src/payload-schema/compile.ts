import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonObject, JsonValue } from '../storable-json.ts';
import { assertionsOf } from './keywords.ts';
import { MAX_REPORT_STEPS, MAX_VALIDATION_STEPS, PAYLOAD_FORMATS } from './limits.ts';
import { compilePattern } from './patterns.ts';
import { findSubschemas, followReferences } from './references.ts';
import { type Weight, weigh } from './weigh.ts';

/** Thrown by the generated validation, which cannot be stopped otherwise. */
class StepLimitReached extends Error {
  constructor() {
    super('the validation exceeded its limit of steps');
  }
}

/** Counts the steps of one validation at a time. */
function createMeter() {
  let left = 0;
  return {
    /** Sets the number of steps from now on. */
    start(steps: number) {
      left = steps;
    },
    /** @throws StepLimitReached if fewer are left */
    spend(steps: number) {
      left -= steps;
      if (left < 0) throw new StepLimitReached();
    },
  };
}
type Meter = ReturnType<typeof createMeter>;

/**
 * Returns the positions of the first two equal items (JSON Schema core section 4.2.2: numbers are compared by value,
 * objects regardless of key order), or null. Takes time linear in the list; `spend` is called for each value and for
 * the characters of each text.
 */
function findDuplicate(
  items: readonly JsonValue[],
  spend: (steps: number) => void,
): readonly [number, number] | null {
  const seen = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const key = canonical(item, spend);
    const first = seen.get(key);
    if (first !== undefined) return [first, index];
    seen.set(key, index);
  }
  return null;
}

/** A canonical text: equal for equal values, and different for all others. */
function canonical(value: JsonValue, spend: (steps: number) => void): string {
  spend(1);
  if (typeof value === 'string') spend(value.length);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, spend)).join()}]`;
  const keys = Object.keys(value).sort();
  const members = keys.map((key) => {
    spend(key.length);
    return `${JSON.stringify(key)}:${canonical(value[key] as JsonValue, spend)}`;
  });
  return `{${members.join()}}`;
}

/**
 * `too_costly`: validating this payload takes more than {@link MAX_VALIDATION_STEPS} steps. The result depends only on
 * payload and schema, not on how busy the machine is.
 */
export type PayloadCheck =
  | { readonly outcome: 'valid' }
  | { readonly outcome: 'invalid'; readonly errors: readonly ErrorObject[] }
  | { readonly outcome: 'too_costly' };

export type ValidatePayload = (payload: JsonObject) => PayloadCheck;

/** The keyword that passes a subschema's weight to the generated code. No keyword of JSON Schema looks like this. */
const WEIGHT = 'x:weight';

function stepsFor({ fixed, perCharacter, perItem, perProperty }: Weight, value: JsonValue): number {
  if (typeof value === 'string') return fixed + perCharacter * value.length;
  if (typeof value !== 'object' || value === null) return fixed;
  if (Array.isArray(value)) return fixed + perItem * value.length;
  return fixed + perProperty * Object.keys(value).length;
}

function patternEngine(meter: Meter) {
  function toPattern(source: string) {
    const { size, test } = compilePattern(source);
    return {
      test(text: string) {
        meter.spend(size * (text.length + 1));
        return test(text);
      },
      // The library identifies patterns by this text.
      toString: () => source,
    };
  }
  return Object.assign(toPattern, { code: 'toPattern' });
}

/** Creates an AJV for one schema, because two tenants may use the same `$anchor`. Meters everything that takes time. */
function createAjv(meter: Meter, allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    strict: false,
    logger: false,
    meta: false,
    validateSchema: false,
    // Only own properties count, not an inherited `constructor`.
    ownProperties: true,
    // Compiles a definition once, even if it is referenced a thousand times.
    inlineRefs: false,
    code: { regExp: patternEngine(meter), optimize: false },
  });
  addFormats.default(ajv, [...PAYLOAD_FORMATS]);
  ajv.addKeyword({
    keyword: WEIGHT,
    // Must be the first keyword, so that steps are paid for before they are taken.
    before: '$dynamicAnchor',
    errors: false,
    validate(weight: Weight, value: JsonValue) {
      meter.spend(stepsFor(weight, value));
      return true;
    },
  });
  // The library's own implementation compares each item with every other.
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    errors: false,
    validate: (wanted: boolean, items: JsonValue[]) => !wanted || !findDuplicate(items, meter.spend),
    error: { message: 'must not have two equal items' },
  });
  return ajv;
}

function withWeights(schema: JsonObject): Record<string, unknown> {
  const byPointer = findSubschemas(schema);
  if (!byPointer) throw new Error('the schema has too many subschemas');
  const { issues, weights } = followReferences(byPointer);
  if (issues.length > 0) throw new Error('the references of the schema cannot be followed');
  const weightOf = new Map<JsonObject, Weight>();
  for (const { pointer, schema } of byPointer.values()) {
    const own = weigh(schema);
    // Pays for all in-place subschemas at once, and again for each when it is evaluated, because it passes on its
    // evaluated properties.
    weightOf.set(schema, { ...own, fixed: weights.get(pointer) ?? own.fixed });
  }
  return assertionsOf(schema, (subschema) => ({ [WEIGHT]: weightOf.get(subschema) })) as Record<
    string,
    unknown
  >;
}

/**
 * Compiles a payload schema (JSON Schema 2020-12). Unknown keywords are annotations. Throws for a schema with issues
 * (`checkPayloadSchema`).
 *
 * A payload is validated up to its first issue. An invalid one is then validated again for all issues, in at most
 * {@link MAX_REPORT_STEPS} steps; if that is not enough, only the first issue is reported.
 */
export function compilePayloadSchema(schema: JsonObject): ValidatePayload {
  const meter = createMeter();
  const weighed = withWeights(schema);
  const validate = createAjv(meter, false).compile(weighed);
  let validateAll: ValidateFunction | undefined;

  function run(validator: ValidateFunction, steps: number, payload: JsonObject): PayloadCheck {
    meter.start(steps);
    try {
      return validator(payload)
        ? { outcome: 'valid' }
        : { outcome: 'invalid', errors: validator.errors ?? [] };
    } catch (error) {
      if (error instanceof StepLimitReached) return { outcome: 'too_costly' };
      throw error;
    }
  }

  return (payload) => {
    const checked = run(validate, MAX_VALIDATION_STEPS, payload);
    if (checked.outcome !== 'invalid') return checked;
    validateAll ??= createAjv(meter, true).compile(weighed);
    const everything = run(validateAll, MAX_REPORT_STEPS, payload);
    return everything.outcome === 'invalid' ? everything : checked;
  };
}
