import { createStoredRandomBytes, type RandomBytes } from './ids.ts';

type TraceParent = { traceId: string; parentId: string; sampled: boolean };

/**
 * version "-" trace-id "-" parent-id "-" trace-flags, and fields that later versions may add: W3C Trace Context,
 * section 3.2.
 */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED_FLAG = 0x01;
const ALL_ZERO = /^0+$/;

/**
 * Parses a `traceparent` header. Returns null if it is missing or must be ignored according to W3C Trace Context,
 * sections 3.2.2 and 4.3: version ff, all-zero ids, upper case, or in version 00 anything after the flags.
 */
export function parseTraceparent(header: string | undefined): TraceParent | null {
  const match = header === undefined ? null : TRACEPARENT.exec(header);
  if (match === null) return null;
  const [, version = '', traceId = '', parentId = '', flags = '', rest] = match;
  if (version === 'ff' || (version === '00' && rest !== undefined)) return null;
  if (ALL_ZERO.test(traceId) || ALL_ZERO.test(parentId)) return null;
  return { traceId, parentId, sampled: (Number.parseInt(flags, 16) & SAMPLED_FLAG) !== 0 };
}

const storedRandomBytes = createStoredRandomBytes();

/** A new trace id: 32 lower-case hex digits, not all zero. */
export function createTraceId(random: RandomBytes = storedRandomBytes): string {
  return createHexId(16, random);
}

/** A new span id: 16 lower-case hex digits, not all zero. */
export function createSpanId(random: RandomBytes = storedRandomBytes): string {
  return createHexId(8, random);
}

/** The `traceparent` header, version 00, that continues a trace with `spanId` as the parent. */
export function formatTraceparent(trace: { traceId: string; spanId: string; sampled: boolean }): string {
  return `00-${trace.traceId}-${trace.spanId}-${trace.sampled ? '01' : '00'}`;
}

function createHexId(bytes: number, random: RandomBytes): string {
  const { buffer, byteOffset } = random(bytes);
  const id = Buffer.from(buffer, byteOffset, bytes).toString('hex');
  // An id of zeros is invalid; the last bit set makes it valid.
  return ALL_ZERO.test(id) ? `${id.slice(0, -1)}1` : id;
}

/** Visible ASCII without spaces: docs/specification.md, "Request and trace ids". */
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

/**
 * The value of `error.request_id` when the client sent no id, or an invalid one:
 * docs/specification.md, "Request and trace ids".
 */
export const UNKNOWN_REQUEST_ID = 'unknown';

/**
 * Returns the client's X-Request-ID if it can be echoed, logged and stored unchanged (1 to 128 visible ASCII
 * characters, docs/specification.md, "Request and trace ids"), otherwise null. A header that is sent twice arrives
 * joined by a comma and a space, and is therefore invalid.
 */
export function acceptRequestId(header: string | undefined): string | null {
  return header !== undefined && REQUEST_ID.test(header) ? header : null;
}
