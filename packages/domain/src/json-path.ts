import type { JsonObject, JsonValue } from './storable-json.ts';

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

/** A copy with another value at the path. Objects on the way are created; a list is only changed where it has an entry. */
export function withValue(
  value: JsonValue | undefined,
  [name, ...rest]: JsonPath,
  set: JsonValue,
): JsonValue {
  if (name === undefined) return set;
  if (Array.isArray(value))
    return value.map((entry, index) => (String(index) === name ? withValue(entry, rest, set) : entry));
  const fields = new Map(Object.entries(typeof value === 'object' && value !== null ? value : {}));
  fields.set(name, withValue(fields.get(name), rest, set));
  return Object.fromEntries(fields);
}
