import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonObject, JsonValue } from '../storable-json.ts';
import { assertionsOf } from './keywords.ts';
import { MAX_REPORT_STEPS, MAX_VALIDATION_STEPS, PAYLOAD_FORMATS } from './limits.ts';
import { compilePattern } from './patterns.ts';
import { findSubschemas, followReferences } from './references.ts';
import { type Weight, weigh } from './weigh.ts';

/** Thrown out of the generated validation, which has no other way to stop. */
class StepLimitReached extends Error {
  constructor() {
    super('the validation took more steps than it may');
  }
}

/** Counts the steps of one validation at a time. */
export interface Meter {
  /** Allows so many steps from now on. */
  readonly start: (steps: number) => void;
  /** @throws StepLimitReached when fewer are left. */
  readonly spend: (steps: number) => void;
}

function createMeter(): Meter {
  let left = 0;
  return {
    start: (steps) => {
      left = steps;
    },
    spend: (steps) => {
      left -= steps;
      if (left < 0) throw new StepLimitReached();
    },
  };
}

/**
 * The positions of the first two equal items (JSON Schema core section 4.2.2: numbers by value, objects
 * whatever the order of their keys), or null. Takes time linear in the list; `spend` hears of each value, and
 * of the characters of each text.
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

/** A text that two values share exactly when they are equal. */
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
 * `too_costly`: holding this payload against this schema takes more than {@link MAX_VALIDATION_STEPS} steps.
 * The same payload and schema always get the same verdict, however busy the machine is.
 */
export type PayloadVerdict =
  | { readonly outcome: 'valid' }
  | { readonly outcome: 'invalid'; readonly errors: readonly ErrorObject[] }
  | { readonly outcome: 'too_costly' };

export type ValidatePayload = (payload: JsonObject) => PayloadVerdict;

/** Carries a subschema's weight into the generated code; no keyword of JSON Schema has this form. */
const WEIGHT = 'x:weight';

function stepsFor({ fixed, perCharacter, perItem, perProperty }: Weight, value: JsonValue): number {
  if (typeof value === 'string') return fixed + perCharacter * value.length;
  if (typeof value !== 'object' || value === null) return fixed;
  if (Array.isArray(value)) return fixed + perItem * value.length;
  return fixed + perProperty * Object.keys(value).length;
}

function patternEngine(meter: Meter) {
  function toPattern(source: string) {
    const compiled = compilePattern(source);
    if (compiled.outcome === 'refused') throw new Error(`a pattern ${compiled.reason}`);
    const { size, test } = compiled.pattern;
    return {
      test(text: string) {
        meter.spend(size * (text.length + 1));
        return test(text);
      },
      // By this text the library knows a pattern again.
      toString: () => source,
    };
  }
  return Object.assign(toPattern, { code: 'toPattern' });
}

/** An AJV of the schema's own: two tenants may use one `$anchor`. Everything in it that costs is metered. */
function createAjv(meter: Meter, allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    strict: false,
    logger: false,
    meta: false,
    validateSchema: false,
    // A payload has what it brings, and not the `constructor` of every object.
    ownProperties: true,
    // A definition that is referred to a thousand times shall be compiled once.
    inlineRefs: false,
    code: { regExp: patternEngine(meter), optimize: false },
  });
  addFormats.default(ajv, [...PAYLOAD_FORMATS]);
  ajv.addKeyword({
    keyword: WEIGHT,
    // The first of all keywords that are evaluated: the steps are paid before they are taken.
    before: '$dynamicAnchor',
    errors: false,
    validate(weight: Weight, value: JsonValue) {
      meter.spend(stepsFor(weight, value));
      return true;
    },
  });
  // The library's own compares each item with each other.
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
  const found = findSubschemas(schema);
  if (found.outcome === 'too_many') throw new Error('the schema has too many subschemas');
  const { issues, weights } = followReferences(found.byPointer);
  if (issues.length > 0) throw new Error('the references of the schema cannot be followed');
  const weightOf = new Map<JsonObject, Weight>();
  for (const { pointer, schema } of found.byPointer.values()) {
    const own = weigh(schema);
    // All that is met in place is paid at once, and again when it is met: it hands on what it has evaluated.
    weightOf.set(schema, { ...own, fixed: weights.get(pointer) ?? own.fixed });
  }
  return assertionsOf(schema, (subschema) => ({ [WEIGHT]: weightOf.get(subschema) })) as Record<
    string,
    unknown
  >;
}

/**
 * Compiles a payload schema (JSON Schema 2020-12). Keywords that are not JSON Schema's are annotations. Throws
 * for a schema in which `checkPayloadSchema` finds issues.
 *
 * A payload is first validated up to its first issue; an invalid one is validated again for all
 * of them, for {@link MAX_REPORT_STEPS} steps, else the first is told alone.
 */
export function compilePayloadSchema(schema: JsonObject): ValidatePayload {
  const meter = createMeter();
  const weighed = withWeights(schema);
  const validate = createAjv(meter, false).compile(weighed);
  let validateAll: ValidateFunction | undefined;

  function run(validator: ValidateFunction, steps: number, payload: JsonObject): PayloadVerdict {
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
    const verdict = run(validate, MAX_VALIDATION_STEPS, payload);
    if (verdict.outcome !== 'invalid') return verdict;
    validateAll ??= createAjv(meter, true).compile(weighed);
    const everything = run(validateAll, MAX_REPORT_STEPS, payload);
    return everything.outcome === 'invalid' ? everything : verdict;
  };
}
