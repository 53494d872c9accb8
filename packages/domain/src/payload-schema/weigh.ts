import { isJsonObject, type JsonObject, type JsonValue } from '../storable-json.ts';
import { heldBy } from './keywords.ts';

/**
 * What it takes to hold a value against one subschema, in steps: `fixed`, and for each character, item or
 * property of the value.
 */
export interface Weight {
  readonly fixed: number;
  readonly perCharacter: number;
  readonly perItem: number;
  readonly perProperty: number;
}

/** They read a text once. `pattern` is not among them: it counts its own steps. */
const READS_TEXT = ['maxLength', 'minLength', 'format'];
/** They go through the items of a list. `uniqueItems` is not among them: it counts its own steps. */
const READS_ITEMS = ['items', 'contains', 'unevaluatedItems'];
/** They go through the properties of an object, `patternProperties` once per pattern. */
const READS_PROPERTIES = [
  'additionalProperties',
  'propertyNames',
  'unevaluatedProperties',
  'maxProperties',
  'minProperties',
];

const count = (schema: JsonObject, keywords: readonly string[]) =>
  keywords.filter((keyword) => Object.hasOwn(schema, keyword)).length;

function sizeOf(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, item) => sum + sizeOf(item), 1);
}

/**
 * Weighs a subschema by itself. Each subschema that it holds counts as one step, which pays for finding that a
 * value is of the wrong type for it; going on is paid by that subschema.
 */
export function weigh(schema: JsonObject): Weight {
  const held = heldBy(schema);
  const holders = new Set(held.map(({ keyword }) => keyword));
  const values = Object.entries(schema).filter(([keyword]) => !holders.has(keyword));
  const patterns = schema.patternProperties;
  return {
    fixed: 1 + held.length + values.reduce((sum, [, value]) => sum + sizeOf(value), 0),
    perCharacter: count(schema, READS_TEXT),
    perItem: count(schema, READS_ITEMS),
    // One always: what was evaluated is handed on from schema to schema for `unevaluatedProperties`.
    perProperty:
      1 + count(schema, READS_PROPERTIES) + (isJsonObject(patterns) ? Object.keys(patterns).length : 0),
  };
}
