import { isJsonObject, type JsonObject, type JsonValue } from './storable-json.ts';

/** The names of fields and the indexes of lists that lead to a value. */
export type JsonPath = readonly string[];

/** The value at a path; undefined if there is none. */
export function valueAt(value: JsonValue | undefined, path: JsonPath): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (at, name) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? (at as JsonObject)[name] : undefined,
    value,
  );
}

/** Few digits, so that a path cannot create a long list. */
const NEW_INDEX = /^\d{1,4}$/;

const isIndexOf = (list: readonly JsonValue[], name: string): boolean =>
  NEW_INDEX.test(name) || (name !== 'length' && Object.hasOwn(list, name));

/** A copy with another value at the path. Objects on the way are created, and a list is filled with null up to a new entry. */
export function withValue(
  value: JsonValue | undefined,
  [name, ...rest]: JsonPath,
  set: JsonValue,
): JsonValue {
  if (name === undefined) return set;
  if (Array.isArray(value) && isIndexOf(value, name)) {
    const list = Array.from(
      { length: Math.max(value.length, Number(name) + 1) },
      (_, at) => value[at] ?? null,
    );
    return list.with(Number(name), withValue(value[Number(name)], rest, set));
  }
  const fields = new Map(Object.entries(isJsonObject(value) ? value : {}));
  fields.set(name, withValue(fields.get(name), rest, set));
  return Object.fromEntries(fields);
}
