import type {
  ChannelRegistry,
  EmailFeedbackReader,
  FeedbackReading,
  FeedbackSource,
  FetchDocument,
} from '@postrider/channels';
import {
  createFeedbackChannelLookup,
  type Database,
  type DatabaseClock,
  type FeedbackChannel,
  recordFeedback,
  type ServiceKeySource,
} from '@postrider/db';
import {
  credentialBinding,
  formatId,
  type IdSource,
  isWellFormedFeedbackToken,
  type SecretBox,
} from '@postrider/domain';
import { clientOf, type OriginLookup } from '@postrider/listener';
import { createFairGate } from '@postrider/rendering';
import type { Metrics } from '@postrider/telemetry';
import type { Request } from 'express';
import { createAttempts } from '../console/attempts.ts';
import { type AdmissionBounds, admitRequest, createAdmission } from '../http/admission.ts';
import { readBody } from '../http/body.ts';
import { ok, type Refusal, type Reply, refuse } from '../http/reply.ts';
import type { RequestContext } from '../http/request.ts';
import { queryOf } from '../paging/query.ts';
import { measureFeedback } from './metrics.ts';

/** Requests with unknown tokens of one client: 20 at once, and then one a second. */
const UNKNOWN = { requestsPerSecond: 1, burst: 20 };
/** Requests for one channel: providers send an event of each mail by itself, or up to a thousand in one. */
const OF_CHANNEL = { requestsPerSecond: 100, burst: 500 };
/** Bytes in flight, apart from those of events: whatever providers send, it takes nothing from acceptance. */
const BYTES: AdmissionBounds = {
  total: 8 * 1024 * 1024,
  share: 2 * 1024 * 1024,
  waitMs: 5_000,
  waitingPerOwner: 32,
  waiting: 128,
};
/** Requests that are read and recorded at once, and of one tenant: most connections stay free for events. */
const TURNS = { places: 3, placesOf: () => 1, maxWaiting: 128, maxWaitingPerOwner: 32 };
/** From here on a body can cost the event loop some ten milliseconds. */
const LARGE_BODY_BYTES = 16 * 1024;
/** In milliseconds. */
const MAX_REST_MS = 500;

/** What the endpoint works with. */
export interface FeedbackDeps {
  readonly db: Database;
  readonly kinds: ChannelRegistry;
  readonly clock: Pick<DatabaseClock, 'read'>;
  readonly metrics: Metrics;
  readonly monotonicNow: () => number;
  readonly fetchDocument: FetchDocument;
  readonly newId: IdSource;
  readonly secretBox: SecretBox;
  /** Of the suppression list. */
  readonly serviceKeys: ServiceKeySource;
}

/** The one response to every token that is not one of this service, as for a path that is not there. */
const UNKNOWN_TOKEN = refuse('route_not_found');
const BUSY = refuse('service_unavailable', {
  message: 'Too much feedback waits: send the same request again.',
  headers: { 'Retry-After': '5' },
});

function tooMany(retryAfterMs: number): Refusal {
  return refuse('rate_limited', {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterMs / 1_000))) },
  });
}

const REFUSALS = { 400: 'malformed_request', 401: 'unauthorized', 503: 'service_unavailable' } as const;

/** A request that is not genuine, or not what its provider sends. */
function refused({ status, message }: Extract<FeedbackReading, { ok: false }>): Refusal {
  return refuse(REFUSALS[status], { message });
}

const isCompressed = (encoding: string | undefined) =>
  encoding !== undefined && encoding.trim().toLowerCase() !== 'identity';

/** The credentials of the channel; one that cannot be opened is left out, and what it signs is not genuine then. */
function openCredentials(secretBox: SecretBox, { id, sealedCredentials }: FeedbackChannel) {
  return Object.fromEntries(
    Object.entries(sealedCredentials ?? {}).flatMap(([name, sealed]) => {
      const opened = secretBox.open(sealed, credentialBinding(id, name));
      return opened.ok ? [[name, opened.plaintext]] : [];
    }),
  );
}

/** Responds to one request; the names are those of its path. */
export type AnswerFeedback = (
  http: Request,
  context: RequestContext,
  path: { readonly token: string; readonly source: string },
) => Promise<Reply>;

/**
 * Takes what providers and mail servers report of a channel's mails: finds the channel by the token, verifies the report,
 * and records it for the runs of that channel. What names other runs is ignored with 200, or the reporter would send it
 * again and again.
 */
export function createFeedbackEndpoint(deps: FeedbackDeps, originOf: OriginLookup): AnswerFeedback {
  const { db, kinds, clock, fetchDocument, newId, secretBox, serviceKeys } = deps;
  const findChannel = createFeedbackChannelLookup(db);
  const unknownOf = createAttempts(UNKNOWN, deps.monotonicNow);
  const requestsOf = createAttempts(OF_CHANNEL, deps.monotonicNow);
  const admit = createAdmission(BYTES);
  const turns = createFairGate(TURNS);
  const measure = measureFeedback(deps.metrics);

  /** Only a request that fails counts, so that a stale token of one tenant does not keep its provider from others. */
  function unknown(http: Request): Refusal {
    const turn = unknownOf(clientOf(originOf(http).address));
    measure.rejected('unknown', 'token');
    return turn.outcome === 'refused' ? tooMany(turn.retryAfterMs) : UNKNOWN_TOKEN;
  }

  /** The reading by the first of the channel's senders for which the request is genuine, else that of the first. */
  async function read(
    reader: EmailFeedbackReader,
    source: FeedbackSource,
    channel: FeedbackChannel,
    http: Request,
    body: Buffer,
  ): Promise<FeedbackReading> {
    const nowMs = (await clock.read()).getTime();
    const query = Object.fromEntries(queryOf(http.originalUrl));
    let first: FeedbackReading | null = null;
    for (const verifier of source.verifiersOf(channel.config, openCredentials(secretBox, channel))) {
      const reading = await reader.read({
        headers: http.headers,
        query,
        body,
        ...verifier,
        nowMs,
        fetchDocument,
      });
      if (reading.ok) return reading;
      first ??= reading;
    }
    return first ?? { ok: false, status: 401, message: 'The channel does not send through this provider.' };
  }

  async function record(source: FeedbackSource, channel: FeedbackChannel, reading: FeedbackReading) {
    if (!reading.ok) {
      measure.rejected(source.name, reading.status === 400 ? 'content' : 'signature');
      return refused(reading);
    }
    const { environmentId, id: channelId } = channel;
    const { name, isSigned } = source;
    const { recorded, duplicates, ignored } = await recordFeedback(
      { db, newId, keys: serviceKeys },
      { environmentId, channelId, source: name, onlyRecipient: !isSigned, events: reading.events },
    );
    measure.recorded(name, recorded);
    return ok({ recorded: recorded.length, duplicates, ignored });
  }

  /** Tenants take turns; what a large body takes of the event loop, its tenant leaves to others before its next one. */
  async function inTurn(
    { tenantId, id }: FeedbackChannel,
    bytes: number,
    work: () => Promise<Reply>,
  ): Promise<Reply> {
    const leave = await turns.enter({ owner: tenantId, part: id });
    if (!leave) return BUSY;
    const began = performance.now();
    try {
      return await work();
    } finally {
      if (bytes < LARGE_BODY_BYTES) leave();
      else setTimeout(leave, Math.min(performance.now() - began, MAX_REST_MS));
    }
  }

  return async (http, { facts }, path) => {
    const channel = isWellFormedFeedbackToken(path.token) ? await findChannel(path.token) : null;
    if (!channel) return unknown(http);
    facts.tenant_id = formatId('ten', channel.tenantId);
    facts.environment_id = formatId('env', channel.environmentId);
    const sources = kinds.find(channel.kind)?.feedback?.sources ?? [];
    const source = sources.find(({ name }) => name === path.source);
    if (!source) return UNKNOWN_TOKEN;
    const turn = requestsOf(channel.id);
    if (turn.outcome === 'refused') return tooMany(turn.retryAfterMs);
    if (isCompressed(http.get('content-encoding'))) {
      return refuse('unsupported_media_type', { message: 'The body must not be compressed.' });
    }
    const admitted = await admitRequest(admit, {
      http,
      holder: { owner: channel.tenantId, part: channel.id },
      use: 'required',
      limit: source.maxBytes,
    });
    if ('reply' in admitted) return admitted.reply;
    const received = await readBody(http, source.maxBytes);
    if (received.outcome === 'too_large') {
      return refuse('payload_too_large', { message: `The body is larger than ${source.maxBytes} bytes.` });
    }
    const reader = await source.load();
    const body = Buffer.from(received.bytes.buffer, received.bytes.byteOffset, received.bytes.byteLength);
    return inTurn(channel, body.byteLength, async () =>
      record(source, channel, await read(reader, source, channel, http, body)),
    );
  };
}
