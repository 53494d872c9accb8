import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { escapePointerSegment, isJsonObject, type JsonObject, type JsonValue } from '@postrider/domain';

/** A changed field of a resource. The values of a secret are null. */
export interface ChangedField {
  readonly path: string;
  readonly from: JsonValue;
  readonly to: JsonValue;
  readonly secret?: true;
}

/** The fields that differ. Objects are compared field by field, and lists as a whole. */
export function fieldsBetween(
  from: JsonValue | undefined,
  to: JsonValue | undefined,
  path = '',
): ChangedField[] {
  if (isDeepStrictEqual(from, to)) return [];
  if (from === undefined || to === undefined || !isJsonObject(from) || !isJsonObject(to))
    return [{ path, from: from ?? null, to: to ?? null }];
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].sort();
  return names.flatMap((name) => {
    const at = (value: JsonObject) => (Object.hasOwn(value, name) ? value[name] : undefined);
    return fieldsBetween(at(from), at(to), `${path}/${escapePointerSegment(name)}`);
  });
}

/** The merge patch (RFC 7396) from one object to another: what is equal is left out, what is missing becomes null. */
export function mergeBetween(from: JsonObject, to: JsonObject): JsonObject {
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return Object.fromEntries(
    names.flatMap((name): [string, JsonValue][] => {
      const before = Object.hasOwn(from, name) ? from[name] : undefined;
      const after = Object.hasOwn(to, name) ? to[name] : undefined;
      if (isDeepStrictEqual(before, after)) return [];
      if (after === undefined) return [[name, null]];
      const isMerged = before !== undefined && isJsonObject(before) && isJsonObject(after);
      return [[name, isMerged ? mergeBetween(before, after) : after]];
    }),
  );
}

/** The object without fields that are null, for which the API's defaults stand. */
export const withoutNulls = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));

/** The value with the fields of its objects in the order of their names: PostgreSQL keeps another order. */
export function inOrder(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields.map(([name, field]) => [name, inOrder(field)]));
}

/** The SHA-256 of a value in hexadecimal digits, whatever the order of its fields. */
export const hashOf = (value: JsonValue): string =>
  createHash('sha256')
    .update(JSON.stringify(inOrder(value)))
    .digest('hex');

/** A short hash, with which a resource is compared with the one that was applied. */
export const digestOf = (value: JsonValue): string => hashOf(value).slice(0, 16);
