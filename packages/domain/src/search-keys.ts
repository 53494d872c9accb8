import { isJsonObject, type JsonValue } from './storable-json.ts';

/** The most paths of business ids that an event type may have. */
export const MAX_SEARCH_KEYS = 5;
/** A JSON Pointer (RFC 6901) below the payload, such as `/order/id`. */
export const SEARCH_KEY_PATTERN = '^(?:/[A-Za-z0-9_-]{1,64}){1,8}$';
/** The most characters of a business id. A longer one is not stored, and so not found. */
export const MAX_KEY_LENGTH = 128;

/** A business id of a message. */
export interface MessageKey {
  /** Its path in the payload. */
  readonly name: string;
  readonly value: string;
}

function valueAt(payload: JsonValue, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = payload;
  for (const segment of path.split('/').slice(1)) {
    if (!isJsonObject(value) || !Object.hasOwn(value, segment)) return undefined;
    value = value[segment];
  }
  return value;
}

/** The business ids in a payload: texts without line breaks, and numbers, of at most {@link MAX_KEY_LENGTH} characters. */
export function keysOf(paths: readonly string[], payload: JsonValue): MessageKey[] {
  return paths.flatMap((name) => {
    const found = valueAt(payload, name);
    const value = typeof found === 'number' ? String(found) : typeof found === 'string' ? found.trim() : '';
    const isKey = value.length > 0 && value.length <= MAX_KEY_LENGTH && !/\p{Cc}/u.test(value);
    return isKey ? [{ name, value }] : [];
  });
}
