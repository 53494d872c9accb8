import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuse, reject, retryLater } from '@postrider/domain';
import type {
  EventLoopTurns,
  FairSemaphore,
  FairSemaphoreOptions,
  Holder,
  Permit,
} from '@postrider/fairness';
import type { Memory } from './memory.ts';
import { ClientGoneError, headerOf, type RequestContext, signalOf } from './request.ts';

/**
 * How long requests may keep the event loop, in milliseconds, before it handles what else has arrived. Some twenty
 * refusals, or the first steps of as many events.
 */
export const REQUEST_SLICE = { sliceMs: 4 };

/** The owner of requests, and of their statements, before the tenant is known. */
export const UNKNOWN_CALLER = 'unknown';
/** The owner of operators' requests and statements, in which each caller has a part. */
export const OPERATORS = 'operators';

/**
 * Waits for the turn of a request's operator or tenant, or of all whose caller is not known, so that hundreds of requests
 * or replies of one tenant that come at once do not delay another tenant's. The limit of connections bounds who waits.
 */
export function takeEventLoopTurn(
  turns: EventLoopTurns,
  context: RequestContext,
): boolean | Promise<boolean> {
  const { actor, tenant_id: tenant = UNKNOWN_CALLER } = context.facts;
  return turns.take(actor === undefined ? { owner: tenant } : { owner: OPERATORS, part: actor }, context);
}

/** Limits the bytes that requests hold. A request that does not fit waits. */
export type ByteLimit = Pick<FairSemaphore, 'tryAcquire' | 'acquire' | 'isShareSpent'>;

/**
 * A body needs up to about ten times its size while it is parsed and stored, so 16 MiB of bodies need less than 160
 * MiB. A tenant gets a quarter: 16 of the largest bodies at once, or 1,000 small requests. Others wait unread. A token
 * gets three quarters of that, which leaves room for the tenant's other tokens.
 */
export const BYTES_IN_FLIGHT: FairSemaphoreOptions = {
  total: 16 * 1024 * 1024,
  perOwner: 4 * 1024 * 1024,
  perPart: 3 * 1024 * 1024,
  waitMs: 5_000,
  maxWaitingPerOwner: 256,
  maxWaiting: 1_024,
};

/** The bytes of a request besides its body: headers, context, and a small response. */
const REQUEST_BYTES = 4 * 1024;

/** In seconds. The request has already waited, so the client should pause before the next try. */
const RETRY_AFTER_S = 1;

const SHARE_SPENT = retryLater(
  'rate_limited',
  RETRY_AFTER_S,
  'Too many bytes of your requests and responses are in flight: retry after the time in Retry-After.',
);
const ALL_IN_FLIGHT = retryLater(
  'service_unavailable',
  RETRY_AFTER_S,
  'Too many requests are in flight: send the same request again.',
);

/** The most bytes of a body that will be stored; 0 if it is known to be too large. */
function bodyBytes(http: IncomingMessage, use: BodyUse, limit: number): number {
  if (use === 'ignored') return 0;
  if (http.headers['transfer-encoding'] !== undefined) return limit;
  const length = Number(http.headers['content-length'] ?? 0);
  return length <= limit ? length : 0;
}

export interface RequestToAdmit {
  readonly http: IncomingMessage;
  readonly res: ServerResponse;
  /** The owner to which the request is charged. */
  readonly holder: Holder;
  readonly use: BodyUse;
  /** The largest body, in bytes. */
  readonly limit: number;
  /** What it may hold besides its body; a number is reserved with it. */
  readonly memory?: Memory;
}

/**
 * Reserves bytes until the response is sent or its connection closed. Waits briefly for bytes that others hold, and then
 * refuses: with 429 if the holder has used its share, with 503 if the process has no bytes left.
 * @throws RefusedError
 */
export async function reserveBytes(
  byteLimit: ByteLimit,
  { res, holder, bytes }: Pick<RequestToAdmit, 'res' | 'holder'> & { readonly bytes: number },
): Promise<Permit> {
  const ask = { ...holder, weight: bytes };
  const permit =
    byteLimit.tryAcquire(ask) ??
    (await byteLimit.acquire(ask, signalOf(res))) ??
    reject(byteLimit.isShareSpent(ask) ? SHARE_SPENT : ALL_IN_FLIGHT);
  // The listener may have refused and closed the request while it waited.
  if (res.socket?.destroyed || res.closed) permit.release();
  else res.once('close', permit.release);
  return permit;
}

/** Admits a request before its body is read, see {@link reserveBytes}. */
export function admitRequest(
  bytesInFlight: ByteLimit,
  { http, res, holder, use, limit, memory = 0 }: RequestToAdmit,
): Promise<Permit> {
  const bytes = REQUEST_BYTES + bodyBytes(http, use, limit) + (typeof memory === 'number' ? memory : 0);
  return reserveBytes(bytesInFlight, { res, holder, bytes });
}

/** Whether an operation has a body. */
export type BodyUse = 'required' | 'optional' | 'ignored';

/** How an operation uses the body, by the description of its body. */
export const bodyUseOf = ({ body }: { readonly body?: { readonly use?: BodyUse } | undefined }): BodyUse =>
  body ? (body.use ?? 'required') : 'ignored';

/** The largest body in bytes, without the files of an event (docs/specification.md, "Request bodies"). */
export const MAX_BODY_BYTES = 256 * 1024;
/** The largest document of a configuration. */
export const MAX_DOCUMENT_BYTES = 4 * 1024 * 1024;
/** The largest event with files, if the plan allows it: 7 MiB of files in base64, and the rest. */
export const MAX_EVENT_BYTES = 10 * 1024 * 1024;

type BodyPlan = { readonly maxPayloadBytes: number | null };

/** The largest body that a plan allows, in bytes. A plan can only lower the general limit. */
export const bodyLimit = ({ maxPayloadBytes }: BodyPlan): number =>
  Math.min(MAX_BODY_BYTES, maxPayloadBytes ?? MAX_BODY_BYTES);

/** The largest event with files that a plan allows, in bytes. By default a plan allows no files. */
export const eventLimit = ({ maxPayloadBytes }: BodyPlan): number =>
  Math.min(MAX_EVENT_BYTES, maxPayloadBytes ?? MAX_BODY_BYTES);

const NOTHING = new Uint8Array();

/**
 * Reads the raw body of an authenticated request. 415 if it is not JSON, 413 if it is larger than `limit` bytes
 * (docs/specification.md, "Request bodies" and "Request pipeline"). Empty if the body is ignored or was left out.
 * @throws RefusedError
 */
export async function readJsonBody(http: IncomingMessage, use: BodyUse, limit: number): Promise<Uint8Array> {
  if (use === 'ignored') return NOTHING;
  const mismatch = mediaTypeIssue(headerOf(http, 'content-type'), headerOf(http, 'content-encoding'));
  const unsupported = () => reject(refuse('unsupported_media_type', { message: `${mismatch}` }));
  if (use === 'required' && mismatch !== null) unsupported();
  const bytes =
    (await readBody(http, limit)) ??
    reject(refuse('payload_too_large', { message: `The body is larger than ${limit} bytes.` }));
  return bytes.byteLength > 0 && mismatch !== null ? unsupported() : bytes;
}

const JSON_TYPE = /^application\/json\s*(?:;(.*))?$/is;
const CHARSET = /(?:^|;)\s*charset\s*=\s*"?([^";\s]+)"?/i;

/** Whether a Content-Encoding names a coding. */
export const isCompressed = (encoding: string | undefined): boolean =>
  encoding !== undefined && encoding.trim().toLowerCase() !== 'identity';

export const COMPRESSED =
  'The body is compressed (Content-Encoding). Send it uncompressed: decompression would undo the limit on its size.';

/**
 * Why a body with this Content-Type and Content-Encoding is not accepted as JSON; null for `application/json`, with or
 * without a charset (docs/specification.md, "Request bodies"). Charsets other than UTF-8 are refused because RFC 8259
 * section 8.1 allows no other, content codings because decompression would defeat the size limit.
 */
function mediaTypeIssue(contentType: string | undefined, contentEncoding: string | undefined): string | null {
  if (contentType === 'application/json' && contentEncoding === undefined) return null;
  if (isCompressed(contentEncoding)) return COMPRESSED;
  const match = JSON_TYPE.exec(contentType?.trim() ?? '');
  if (!match) return 'The body must be sent as application/json.';
  const charset = CHARSET.exec(match[1] ?? '')?.[1]?.toLowerCase();
  if (charset === undefined || charset === 'utf-8' || charset === 'utf8') return null;
  return 'The Content-Type has a charset other than UTF-8: JSON is always UTF-8.';
}

/** The initial buffer of a body in several pieces whose length is not known; it doubles as needed. */
const FIRST_ROOM_BYTES = 16 * 1024;

/**
 * Collects pieces in one Buffer, because a small Buffer per piece would use many times its bytes. One of the length that the
 * request names is allocated once: outgrown Buffers are garbage that V8 collects late.
 */
class Collected {
  readonly #firstRoomBytes: number;
  #room: Buffer = Buffer.alloc(0);
  #size = 0;

  constructor(length: number) {
    this.#firstRoomBytes = length || FIRST_ROOM_BYTES;
  }

  add(piece: Buffer, limit: number): void {
    const size = this.#size + piece.length;
    if (this.#size === 0) this.#room = piece;
    else {
      if (size > this.#room.length) this.#grow(size, limit);
      piece.copy(this.#room, this.#size);
    }
    this.#size = size;
  }

  bytes(): Uint8Array {
    return this.#room.subarray(0, this.#size);
  }

  #grow(size: number, limit: number): void {
    const larger = Buffer.allocUnsafeSlow(
      Math.max(size, Math.min(limit, Math.max(2 * this.#room.length, this.#firstRoomBytes))),
    );
    this.#room.copy(larger, 0, 0, this.#size);
    this.#room = larger;
  }
}

/**
 * Reads a request's raw body of at most `limit` bytes; null for a longer one, which is detected by its Content-Length, or
 * by the first byte too many. Nothing of it is kept, and the caller reads the rest.
 * @throws ClientGoneError if the client disconnects before the end
 */
export async function readBody(req: IncomingMessage, limit: number): Promise<Uint8Array | null> {
  const length = Number(req.headers['content-length'] ?? 0);
  if (length > limit) return null;
  // A small body mostly arrives with its headers, so that there is nothing to wait for.
  if (length > 0 && req.readableLength === length) return req.read() as Buffer;
  // It emits no more events, so the promise below would never settle.
  if (req.destroyed) throw new ClientGoneError();
  return new Promise((resolve, reject) => {
    const collected = new Collected(length);
    let size = 0;

    function settle(act: () => void): void {
      req.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      act();
    }
    function onData(chunk: Buffer): void {
      size += chunk.length;
      if (size > limit) settle(() => resolve(null));
      else collected.add(chunk, limit);
    }
    function onEnd(): void {
      settle(() => resolve(collected.bytes()));
    }
    function onGone(): void {
      settle(() => {
        // A destroyed request may still emit an error, which nothing else handles.
        req.on('error', () => undefined);
        reject(new ClientGoneError());
      });
    }
    req.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}
