import { type JsonValue, parseStorableJson } from '@postrider/domain';
import { type Detail, type Refusal, refuse } from '../http/reply.ts';

export type ParsedBody =
  | { readonly outcome: 'parsed'; readonly value: JsonValue }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

/** Parses a raw body, or says with `invalid_json` why it cannot be stored. */
export function parseBody(bytes: Uint8Array): ParsedBody {
  const parsed = parseStorableJson(bytes);
  return parsed.ok
    ? { outcome: 'parsed', value: parsed.value }
    : { outcome: 'refused', refusal: refuse('invalid_json', { message: parsed.reason }) };
}

/** Parses a body that may be left out, which means the empty object. */
export function parseOptionalBody(bytes: Uint8Array): ParsedBody {
  return bytes.byteLength === 0 ? { outcome: 'parsed', value: {} } : parseBody(bytes);
}

/** A 422 that names every fault. */
export function invalid(details: readonly Detail[]): Refusal {
  return refuse('validation_failed', { details });
}
