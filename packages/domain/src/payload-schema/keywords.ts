import { isJsonObject, type JsonObject, type JsonValue } from '../storable-json.ts';

/**
 * How a keyword contains subschemas: one, a list, or a map by name. `inPlace`: they apply to the same value as the
 * schema itself, not to a part of it.
 */
interface Applicator {
  readonly holds: 'one' | 'list' | 'map';
  readonly inPlace: boolean;
}

const one = { holds: 'one', inPlace: false } as const;
const oneInPlace = { holds: 'one', inPlace: true } as const;
const listInPlace = { holds: 'list', inPlace: true } as const;
const map = { holds: 'map', inPlace: false } as const;

/** JSON Schema 2020-12: core section 8.2.4, applicators sections 10 and 11; `definitions` of older drafts. */
const APPLICATORS: ReadonlyMap<string, Applicator> = new Map<string, Applicator>([
  ['$defs', map],
  ['definitions', map],
  ['allOf', listInPlace],
  ['anyOf', listInPlace],
  ['oneOf', listInPlace],
  ['not', oneInPlace],
  ['if', oneInPlace],
  ['then', oneInPlace],
  ['else', oneInPlace],
  ['dependentSchemas', { holds: 'map', inPlace: true }],
  ['properties', map],
  ['patternProperties', map],
  ['additionalProperties', one],
  ['propertyNames', one],
  ['unevaluatedProperties', one],
  ['prefixItems', { holds: 'list', inPlace: false }],
  ['items', one],
  ['contains', one],
  ['unevaluatedItems', one],
]);

/** Keywords that validate without subschemas. All others are annotations. */
const ASSERTIONS = new Set([
  ...['type', 'enum', 'const', 'multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  ...['maxLength', 'minLength', 'pattern', 'format', 'maxItems', 'minItems', 'uniqueItems', 'maxContains'],
  ...['minContains', 'maxProperties', 'minProperties', 'required', 'dependentRequired', '$ref', '$anchor'],
]);

/** Whether the keyword's subschemas apply to the same value as the schema itself. */
export const isInPlace = (keyword: string): boolean => APPLICATORS.get(keyword)?.inPlace === true;

/** A subschema in a keyword; `path` has the segments of its JSON Pointer from the keyword on. */
export interface Held {
  readonly keyword: string;
  readonly path: readonly string[];
  readonly value: JsonValue;
}

/** The direct subschemas of a schema, which need not be valid. */
export function heldBy(schema: JsonObject): Held[] {
  return Object.entries(schema).flatMap(([keyword, value]): Held[] => {
    const applicator = APPLICATORS.get(keyword);
    if (!applicator) return [];
    if (applicator.holds === 'one') return [{ keyword, path: [keyword], value }];
    const isExpected = applicator.holds === 'list' ? Array.isArray(value) : isJsonObject(value);
    if (!isExpected) return [];
    return Object.entries(value as JsonObject).map(([name, item]) => ({
      keyword,
      path: [keyword, name],
      value: item,
    }));
  });
}

/**
 * Copies a schema without annotations and adds `annotate` to each object. Libraries give some unknown keywords a
 * meaning (`$async`, `nullable`), which JSON Schema does not.
 */
export function assertionsOf(
  schema: JsonValue,
  annotate: (schema: JsonObject) => Record<string, unknown>,
): boolean | Record<string, unknown> {
  if (!isJsonObject(schema)) return schema === true;
  const copy = (value: JsonValue) => assertionsOf(value, annotate);
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    const applicator = APPLICATORS.get(keyword);
    if (!applicator) return ASSERTIONS.has(keyword) ? [[keyword, value]] : [];
    if (applicator.holds === 'one') return [[keyword, copy(value)]];
    if (applicator.holds === 'list') return [[keyword, (value as JsonValue[]).map(copy)]];
    const held = Object.entries(value as JsonObject).map(([name, item]) => [name, copy(item)] as const);
    return [[keyword, Object.fromEntries(held)]];
  });
  return { ...Object.fromEntries(entries), ...annotate(schema) };
}
