import { isJsonObject, type JsonObject, type JsonValue } from './storable-json.ts';

/**
 * Applies a JSON Merge Patch to an object (RFC 7396 section 2): members that the patch does not name stay, null removes
 * one, an object is merged into, and anything else, arrays included, replaces what was there. Neither argument is
 * changed. The depth of `patch` is that of a request body, which is bounded.
 */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const merged = new Map<string, JsonValue>(Object.entries(target));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else if (isJsonObject(value)) merged.set(name, mergePatch(objectOrEmpty(merged.get(name)), value));
    else merged.set(name, value);
  }
  // Defines each member as its own, also one called __proto__.
  return Object.fromEntries(merged);
}

function objectOrEmpty(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
