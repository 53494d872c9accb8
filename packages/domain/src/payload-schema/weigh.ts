import { isJsonObject, type JsonObject, type JsonValue } from '../storable-json.ts';
import { heldBy } from './keywords.ts';

/**
 * The steps to validate a value against one subschema: `fixed`, plus those per character, item or property of the
 * value.
 */
export interface Weight {
  readonly fixed: number;
  readonly perCharacter: number;
  readonly perItem: number;
  readonly perProperty: number;
}

/** Keywords that read a text once. `pattern` counts its own steps. */
const READS_TEXT = ['maxLength', 'minLength', 'format'];
/** Keywords that iterate over the items of a list. `uniqueItems` counts its own steps. */
const READS_ITEMS = ['items', 'contains', 'unevaluatedItems'];
/** Keywords that iterate over the properties of an object, `patternProperties` once per pattern. */
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
 * Computes the weight of a subschema without its own subschemas. Each of those adds one step, for finding out that a
 * value has the wrong type; they pay for anything more themselves.
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
    // Always at least one, because evaluated properties are passed from schema to schema for `unevaluatedProperties`.
    perProperty:
      1 + count(schema, READS_PROPERTIES) + (isJsonObject(patterns) ? Object.keys(patterns).length : 0),
  };
}
