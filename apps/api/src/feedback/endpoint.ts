import type { ChannelRegistry, FeedbackReading, FeedbackSource, FetchDocument } from '@postrider/channels';
import {
  chargeTo,
  createFeedbackChannelLookup,
  type Database,
  type DatabaseClock,
  type FeedbackChannel,
  recordFeedback,
  type ServiceKeySource,
} from '@postrider/db';
import {
  credentialBinding,
  FEEDBACK_TOKENS,
  FEEDBACK_TYPES,
  type FeedbackEvent,
  formatId,
  type IdSource,
  refuse,
  reject,
  retryLater,
  type SecretBox,
} from '@postrider/domain';
import { createFairSemaphore, type FairSemaphoreOptions } from '@postrider/fairness';
import { clientOf, type OriginLookup } from '@postrider/listener';
import { createBoundedLog, type Logger, type Metrics } from '@postrider/telemetry';
import type { Request, Response, Router } from 'express';
import { admitRequest, COMPRESSED, isCompressed, readBody } from '../http/admission.ts';
import { ok, type Success } from '../http/reply.ts';
import type { RequestContext } from '../http/request.ts';
import { mountResponders } from '../http/routes.ts';
import { queryOf } from '../paging/query.ts';
import { createLocalBuckets } from '../rate-limit/buckets.ts';

interface FeedbackMeasures {
  /** Stored events. `provider` is the name of a known source. */
  recorded(provider: string, events: readonly Pick<FeedbackEvent, 'type'>[]): void;
  /** A refused request: unknown token, wrong signature, or content not in the provider's format. */
  rejected(provider: string, reason: 'token' | 'signature' | 'content'): void;
}

/** Counts what providers report, and what is refused. */
function measureFeedback(metrics: Metrics, { definitions }: ChannelRegistry): FeedbackMeasures {
  const provider = definitions.flatMap(({ feedback }) => (feedback ?? []).map(({ name }) => name));
  const events = metrics.counter(
    'postrider_feedback_events_total',
    'Reports about mails by providers and mail servers, not counting repeated and unknown ones.',
    { provider, type: FEEDBACK_TYPES },
  );
  const rejected = metrics.counter(
    'postrider_feedback_rejected_total',
    'Refused requests to the feedback endpoint: unknown token, wrong signature, or invalid content.',
    { provider, reason: ['token', 'signature', 'content'] },
  );
  return {
    recorded(provider, recorded) {
      for (const { type } of recorded) events.inc({ provider, type });
    },
    rejected: (provider, reason) => rejected.inc({ provider, reason }),
  };
}

/** Limit of requests with unknown tokens per client: 20 at once, then one a second. */
const UNKNOWN = { requestsPerSecond: 1, burst: 20 };
/** Limit of requests per channel: providers send one event or up to a thousand per request. */
const OF_CHANNEL = { requestsPerSecond: 100, burst: 500 };
/** Limit of fetches that verify the requests of one channel: five at once, then one in ten seconds. */
const DOCUMENTS = { requestsPerSecond: 0.1, burst: 5 };
/** Bytes in flight, separate from those of events, so that feedback cannot slow down acceptance. */
const BYTES: FairSemaphoreOptions = {
  total: 8 * 1024 * 1024,
  perOwner: 2 * 1024 * 1024,
  waitMs: 5_000,
  maxWaitingPerOwner: 32,
  maxWaiting: 128,
};
/** Requests that are processed at once, in total and per tenant, so that most connections stay free for events. */
const AT_ONCE = { total: 3, perOwner: 1, maxWaiting: 128, maxWaitingPerOwner: 32 };
/** A larger body can block the event loop for some ten milliseconds. */
const LARGE_BODY_BYTES = 16 * 1024;
/** Logged errors of readers, for each provider. */
const ERRORS_PER_MINUTE = 10;
/** In milliseconds. */
const MAX_REST_MS = 500;

/** Dependencies of the endpoint. */
export interface FeedbackDeps {
  readonly db: Database;
  readonly kinds: ChannelRegistry;
  readonly clock: Pick<DatabaseClock, 'read'>;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly monotonicMs: () => number;
  readonly fetchDocument: FetchDocument;
  readonly newId: IdSource;
  readonly secretBox: SecretBox;
  /** Keys of the suppression list and of return paths. */
  readonly serviceKeys: ServiceKeySource;
}

const BUSY = retryLater(
  'service_unavailable',
  5,
  'Too many feedback requests are waiting: send the same request again.',
);

const rejectTooMany = (retryAfterMs: number): never =>
  reject(retryLater('rate_limited', retryAfterMs / 1_000));

/** The response to every unknown token, the same as for an unknown path. */
const rejectUnknownPath = (): never => reject('route_not_found');

const UNREADABLE: FeedbackReading = { ok: false, status: 503, message: 'The body could not be read.' };
const REFUSALS = { 400: 'malformed_request', 401: 'unauthorized', 503: 'service_unavailable' } as const;

/**
 * The credentials of the channel. One that cannot be decrypted is left out, so requests that it verifies are refused.
 */
function decryptCredentials(secretBox: SecretBox, { id, sealedCredentials }: FeedbackChannel) {
  return Object.fromEntries(
    Object.entries(sealedCredentials ?? {}).flatMap(([name, encrypted]) => {
      const decrypted = secretBox.decrypt(encrypted, credentialBinding(id, name));
      return decrypted.ok ? [[name, decrypted.plaintext]] : [];
    }),
  );
}

const PATH = '/feedback/v1/{channelToken}/{source}';

/**
 * Mounts the feedback endpoint (docs/specification.md, "Feedback"), which providers and mail servers call with bodies in their own
 * formats: it finds the channel by the token, verifies the report, and records it for the runs of that channel. Events about other
 * runs are ignored with 200, because the reporter would repeat them otherwise. Log lines and metrics have the path without its token.
 * Browsers must not call it, so mount it before CORS.
 */
export function mountFeedback(deps: FeedbackDeps, originOf: OriginLookup): Router {
  const { db, kinds, clock, newId, secretBox, serviceKeys } = deps;
  const findChannel = createFeedbackChannelLookup(db);
  const unknown = createLocalBuckets(deps.monotonicMs);
  const requests = createLocalBuckets(deps.monotonicMs);
  const documents = createLocalBuckets(deps.monotonicMs);
  const bytesInFlight = createFairSemaphore(BYTES);
  const semaphore = createFairSemaphore(AT_ONCE);
  const measure = measureFeedback(deps.metrics, deps.kinds);
  const errors = createBoundedLog(deps.logger, { perKeyPerMinute: ERRORS_PER_MINUTE });

  /** Rejects an unknown token. Only failing requests count, so that a stale token of one tenant does not block its provider for others. */
  function countAndRejectUnknownToken(http: Request): never {
    const { taken, retryAfterMs } = unknown(clientOf(originOf(http).address), UNKNOWN);
    measure.rejected('unknown', 'token');
    return taken === 0 ? rejectTooMany(retryAfterMs) : rejectUnknownPath();
  }

  /** The result of the channel's first sender that verifies the request, or else the first refusal. */
  async function read(
    source: FeedbackSource,
    channel: FeedbackChannel,
    http: Request,
    body: Buffer,
  ): Promise<FeedbackReading> {
    const nowMs = (await clock.read()).getTime();
    const query = Object.fromEntries(queryOf(http.originalUrl));
    // A document is fetched before the request is verified: without a limit, a forger could cause any number of fetches.
    const fetchForChannel: FetchDocument = async (url) =>
      documents(channel.id, DOCUMENTS).taken === 1 ? deps.fetchDocument(url) : null;
    let first: FeedbackReading | null = null;
    for (const verifier of source.verifiersOf(channel.config, decryptCredentials(secretBox, channel))) {
      const facts = {
        headers: http.headers,
        query,
        body,
        nowMs,
        fetchDocument: fetchForChannel,
        runIdOfToken: async (token: string) => (await serviceKeys.get()).bounces.runIdOf(token),
      };
      // A reader throws for bugs only. With 503 the provider repeats the request, perhaps to a release without the bug.
      const reading = await source
        .read({ ...facts, ...verifier })
        .catch((error: unknown): FeedbackReading => {
          errors.error(source.name, 'a reader of feedback threw', { provider: source.name, error });
          return UNREADABLE;
        });
      if (reading.ok) return reading;
      first ??= reading;
    }
    return first ?? { ok: false, status: 401, message: 'The channel does not use this provider.' };
  }

  async function record(source: FeedbackSource, channel: FeedbackChannel, reading: FeedbackReading) {
    if (!reading.ok) {
      measure.rejected(source.name, reading.status === 400 ? 'content' : 'signature');
      // It is not genuine, or not in its provider's format.
      reject(refuse(REFUSALS[reading.status], { message: reading.message }));
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

  /** Tenants take turns. After a large body, its tenant waits for as long as the body blocked the event loop. */
  async function inTurn(
    { tenantId, id }: FeedbackChannel,
    bytes: number,
    work: () => Promise<Success>,
  ): Promise<Success> {
    const permit = await semaphore.acquire({ owner: tenantId, part: id });
    if (!permit) reject(BUSY);
    const began = performance.now();
    try {
      return await work();
    } finally {
      if (bytes < LARGE_BODY_BYTES) permit.release();
      else setTimeout(permit.release, Math.min(performance.now() - began, MAX_REST_MS));
    }
  }

  async function respond(http: Request, { facts }: RequestContext, res: Response): Promise<Success> {
    const { channelToken = '', source: sourceName } = http.params as Readonly<Record<string, string>>;
    const channel = FEEDBACK_TOKENS.isWellFormed(channelToken) ? await findChannel(channelToken) : null;
    if (!channel) return countAndRejectUnknownToken(http);
    chargeTo(channel.tenantId);
    facts.tenant_id = formatId('ten', channel.tenantId);
    facts.environment_id = formatId('env', channel.environmentId);
    const sources = kinds.find(channel.kind)?.feedback ?? [];
    const source = sources.find(({ name }) => name === sourceName) ?? rejectUnknownPath();
    const { taken, retryAfterMs } = requests(channel.id, OF_CHANNEL);
    if (taken === 0) rejectTooMany(retryAfterMs);
    if (isCompressed(http.get('content-encoding'))) {
      reject(refuse('unsupported_media_type', { message: COMPRESSED }));
    }
    await admitRequest(bytesInFlight, {
      http,
      res,
      holder: { owner: channel.tenantId, part: channel.id },
      use: 'required',
      limit: source.maxBytes,
    });
    const received =
      (await readBody(http, source.maxBytes)) ??
      reject(refuse('payload_too_large', { message: `The body is larger than ${source.maxBytes} bytes.` }));
    const body = Buffer.from(received.buffer, received.byteOffset, received.byteLength);
    return inTurn(channel, body.byteLength, async () =>
      record(source, channel, await read(source, channel, http, body)),
    );
  }

  return mountResponders([{ method: 'post', path: PATH, respond }]);
}
