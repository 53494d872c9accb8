import { setImmediate } from 'node:timers/promises';
import { dated, type EnvironmentSnapshot, type EventOutcome, findResponses } from '@postrider/db';
import {
  findInexact,
  fingerprint,
  type IdempotencyClaim,
  invalid,
  parseIdempotencyKey,
  parseJson,
  type Refusal,
  refuse,
  reject,
  retryLater,
  STILL_IN_PROGRESS,
  scanJson,
  whyUnstorable,
} from '@postrider/domain';
import { createFairSemaphore } from '@postrider/fairness';
import { bodyLimit } from '../http/admission.ts';
import type { Reply, Success } from '../http/reply.ts';
import { BATCH_EXAMPLES, BATCH_RESULTS_EXAMPLE } from '../openapi/examples.ts';
import { ref } from '../openapi/schema.ts';
import { replayOf } from '../pipeline/idempotency.ts';
import { exhausted, takeRequestTokens, unpaid } from '../pipeline/limits.ts';
import type { Operation, OperationDeps, RunOperation } from '../pipeline/operation.ts';
import type { ApiRequest } from '../pipeline/stage.ts';
import { compileBody, parseBody } from '../validation/body.ts';
import { numberDetailsOf } from '../validation/details.ts';
import { createPayloadCheck } from '../validation/payload-schemas.ts';
import { type Item, Results, respond } from './batch-results.ts';
import { BATCH_SCHEMA, type BatchBody, MAX_BATCH_EVENTS } from './batch-schema.ts';
import {
  CREATED,
  consumerIdOf,
  createValidateEvent,
  draftEvent,
  type NamedConsumers,
  refuseBeyondScopes,
  type ValidEvent,
} from './create-event.ts';

const MAX_BATCH_BYTES = 1024 * 1024;
/**
 * Levels of a whole body. Deep JSON takes several times as long to parse. More than the 32 levels of an event and the three
 * around it, so that an event that is a little too deep is refused by itself.
 */
const MAX_BATCH_DEPTH = 64;
/** Bytes reserved for the response: 100 accepted events with about ten runs each. */
const RESPONSE_BYTES = 256 * 1024;
/**
 * Concurrent batches. Each uses a connection to PostgreSQL and waits for its tenant's usage row. Tenants take turns.
 */
const AT_ONCE = { total: 4, perOwner: 2, maxWaiting: 256, maxWaitingPerOwner: 64 };
const BUSY = retryLater(
  'service_unavailable',
  1,
  'Too many batches are waiting: send the same request again.',
);
/** Outcomes of an event for whose key another request may have stored a response. */
const MAY_BE_STORED: ReadonlySet<string> = new Set(['duplicate', 'quota_exceeded']);

type ValidItem = [Item, ValidEvent];

/** The request whose events are accepted. */
interface Accepting {
  readonly request: ApiRequest;
  readonly atomic: boolean;
  readonly results: Results;
  readonly consumers: NamedConsumers;
}

/** Reads one event, or refuses it if that is possible without the others. */
function readItem(
  { idempotency_key: keyText, event }: BatchBody['events'][number],
  {
    index,
    keys,
    snapshot,
    isStorable,
  }: { index: number; keys: Set<string>; snapshot: EnvironmentSnapshot; isStorable: boolean },
): Item | Refusal {
  const key = parseIdempotencyKey(keyText, snapshot.settings.idempotencyKeys);
  if (key === null) return refuse('idempotency_key_invalid');
  if (keys.has(key)) return refuse('idempotency_key_repeated');
  keys.add(key);
  // Checked before forming its JSON, which needs a stack that grows with the depth.
  const unstorable = isStorable ? null : whyUnstorable(event);
  if (unstorable !== null) return refuse('invalid_json', { message: unstorable });
  const text = JSON.stringify(event);
  const bytes = Buffer.byteLength(text);
  const limit = bodyLimit(snapshot.plan);
  if (bytes > limit) {
    return refuse('payload_too_large', { message: `The event is larger than ${limit} bytes.` });
  }
  const environmentId = snapshot.environment.id;
  const claim: IdempotencyClaim = {
    environmentId,
    operation: 'events.create',
    key,
    fingerprint: fingerprint(text),
  };
  return { index, claim, event, bytes };
}

function readItems({ events }: BatchBody, { snapshot, bytes }: ApiRequest, results: Results): Item[] {
  const keys = new Set<string>();
  // If the body does not contain the text, neither does any of its events.
  const { reason, isExact } = scanJson(bytes);
  const isStorable = reason === null;
  const inexact = isStorable && isExact ? [] : findInexact(bytes);
  return events.flatMap((event, index) => {
    const item = readItem(event, { index, keys, snapshot, isStorable });
    if ('refused' in item) {
      results.set({ index }, item);
      return [];
    }
    const details = numberDetailsOf(`/events/${index}/event`, inexact);
    if (details.length > 0) results.setInvalid(item, details);
    return [item];
  });
}

const parseBatch = (bytes: Uint8Array) => parseJson(bytes, { maxDepth: MAX_BATCH_DEPTH });

/** How long validation may block the event loop before it yields, in milliseconds. */
const TURN_MS = 10;

/** Accepts the events of a batch: a message with its runs for each. */
function runBatch(deps: OperationDeps): RunOperation {
  const { db, clock, ingestBatch, enqueue, takeBucketTokens, monotonicMs, eventConsumers, spentQuota } = deps;
  const checkBody = compileBody<BatchBody>(BATCH_SCHEMA, { allErrors: false, eager: true });
  const validate = createValidateEvent(createPayloadCheck());
  const batches = createFairSemaphore(AT_ONCE);

  /** Sets the results of items whose keys have a stored response by now. Returns how many. */
  async function replayStored(items: readonly Item[], results: Results): Promise<number> {
    if (items.length === 0) return 0;
    const responses = await findResponses(
      db,
      items.map(({ claim }) => claim),
    );
    items.forEach((item, index) => {
      const stored = responses[index];
      if (stored) results.set(item, replayOf(stored, item.claim));
    });
    return responses.filter((stored) => stored !== null).length;
  }

  /**
   * Refuses items over quota, payment or rate limits, in the order of the pipeline. Returns a function that gives
   * back the rate-limit tokens of items that turn out to be replays; the request keeps its own.
   */
  async function applyLimits(
    items: readonly Item[],
    { request, atomic, results }: { request: ApiRequest; atomic: boolean; results: Results },
  ): Promise<(replays: number) => void> {
    const { snapshot } = request;
    const refusal = exhausted(snapshot) ?? unpaid(snapshot);
    if (refusal) for (const item of items) results.set(item, refusal);
    if (refusal || items.length === 0) return () => undefined;
    // The pipeline already took one for the request.
    const wanted = items.length - 1;
    const tokens = await takeRequestTokens(takeBucketTokens, request, { wanted, whole: atomic });
    if (tokens.refusal) for (const item of items.slice(1 + tokens.taken)) results.set(item, tokens.refusal);
    return (replays) => tokens.giveBack(Math.min(replays, tokens.taken));
  }

  const logError = deps.logDatabaseErrors('event', 'an event of a batch could not be stored');

  /** Logs an error of one event, and returns its result. */
  function failed(error: unknown): Refusal {
    logError(error);
    return refuse('internal_error');
  }

  async function validated(
    items: readonly Item[],
    request: ApiRequest,
    { results, consumers }: { results: Results; consumers: NamedConsumers },
  ): Promise<ValidItem[]> {
    const valid: ValidItem[] = [];
    let turnBeganAt = monotonicMs();
    for (const item of items) {
      try {
        const result = validate(item.event, request, consumers);
        const refusal = 'issues' in result ? null : refuseBeyondScopes(result, request);
        if ('issues' in result) results.setInvalid(item, result.issues);
        else if (refusal) results.set(item, refusal);
        else valid.push([item, result]);
      } catch (error) {
        // Such as a filter of a later release, which must not fail the events of other channels.
        results.set(item, failed(error));
      }
      if (monotonicMs() - turnBeganAt < TURN_MS) continue;
      await setImmediate();
      turnBeganAt = monotonicMs();
    }
    return valid;
  }

  /** Refuses events beyond the limits of their consumers. Returns the others, and how to give back their tokens. */
  async function admitted(
    valid: readonly ValidItem[],
    { request, atomic, results, consumers }: Accepting,
  ): Promise<{ open: readonly ValidItem[]; giveBack: (items: readonly Item[]) => void }> {
    const ofConsumer = new Map<string, Item[]>();
    for (const [item, { message }] of valid) {
      const { consumerId: id } = message;
      if (id !== null) ofConsumer.set(id, [...(ofConsumer.get(id) ?? []), item]);
    }
    if (ofConsumer.size === 0) return { open: valid, giveBack: () => undefined };
    const refused = new Set<Item>();
    const returns = new Map<string, (count: number) => void>();
    for (const [id, items] of ofConsumer) {
      const named = { id, consumer: consumers.get(id) };
      const tokens = await eventConsumers.admit(request, named, { wanted: items.length, whole: atomic });
      returns.set(id, tokens.giveBack);
      for (const item of tokens.refusal ? items.slice(tokens.taken) : []) {
        if (tokens.refusal) results.set(item, tokens.refusal);
        refused.add(item);
      }
    }
    return {
      open: valid.filter(([item]) => !refused.has(item)),
      giveBack(items) {
        for (const [id, own] of ofConsumer) {
          const count = items.filter((item) => own.includes(item)).length;
          if (count > 0) returns.get(id)?.(count);
        }
      },
    };
  }

  /** The reply for an outcome; null if the item stays open. */
  function replyTo(outcome: EventOutcome, item: Item, { request, consumers }: Accepting): Reply | null {
    const { snapshot } = request;
    switch (outcome.outcome) {
      case 'accepted':
        spentQuota.accepted(snapshot, outcome.eventsUsed);
        return { status: CREATED, body: outcome.body };
      case 'quota_exceeded':
        return spentQuota.exceeded(outcome, snapshot, consumers.get(consumerIdOf(item.event) ?? ''));
      case 'duplicate':
      case 'in_progress':
        return STILL_IN_PROGRESS;
      case 'failed':
        return failed(outcome.error);
      case 'aborted':
        return null;
    }
  }

  /** Returns the items for whose keys another request may have stored a response. */
  async function accept(valid: readonly ValidItem[], accepting: Accepting): Promise<Item[]> {
    const { request, atomic, results } = accepting;
    const { outcomes } = await dated(clock, (now) =>
      ingestBatch({
        events: valid.map(([{ claim, bytes }, event]) => draftEvent(event, request, claim, { now, bytes })),
        atomic,
      }),
    );
    // Best effort, and not awaited: the rows are the outbox, which workers poll.
    void enqueue(outcomes.flatMap((outcome) => (outcome.outcome === 'accepted' ? outcome.wakeUps : [])));
    valid.forEach(([item], index) => {
      const reply = outcomes[index] && replyTo(outcomes[index], item, accepting);
      if (reply) results.set(item, reply);
    });
    return valid.flatMap(([item], index) =>
      MAY_BE_STORED.has(outcomes[index]?.outcome ?? '') ? [item] : [],
    );
  }

  async function carryOut(body: BatchBody, request: ApiRequest): Promise<Success> {
    const { atomic = false } = body;
    const results = new Results(body.events.length);
    const items = readItems(body, request, results);
    // An atomic batch and a rate limit need the stored responses first: such an event neither aborts the batch nor takes
    // a token. Other batches only look up the keys of refused events, because nearly every key is new.
    const looksUpFirst = atomic || request.snapshot.plan.requestsPerSecond !== null;
    if (looksUpFirst) await replayStored(items, results);
    const giveBack = await applyLimits(results.open(items), { request, atomic, results });
    const open = results.open(items);
    const consumers = await eventConsumers.find(
      open.map(({ event }) => event),
      request.snapshot,
    );
    const accepting = { request, atomic, results, consumers };
    const valid = await validated(open, request, accepting);
    const mayAdmit = valid.length > 0 && !(atomic && results.hasRefusal());
    const admission = await admitted(mayAdmit ? valid : [], accepting);
    const mayStore = admission.open.length > 0 && !(atomic && results.hasRefusal());
    const maybeStored = mayStore ? await accept(admission.open, accepting) : [];
    admission.giveBack(maybeStored);
    // A key with a stored response gets it, whatever refused the event (docs/specification.md, "Idempotency").
    const replays = await replayStored(looksUpFirst ? maybeStored : results.refused(items), results);
    if (replays > 0) giveBack(replays);
    return respond(results.final(), request.context.requestId);
  }

  return async (request) => {
    const checked = checkBody(parseBody(request.bytes, parseBatch));
    if (!('body' in checked)) reject(invalid(checked.issues));
    const { burst } = request.snapshot.plan;
    if (checked.body.atomic && burst !== null && checked.body.events.length > burst) {
      const message = `must not be more than ${burst}, the burst of the plan`;
      reject(invalid([{ path: '/events', code: 'too_many', message }]));
    }
    const permit = await batches.acquire(request.holder);
    if (!permit) reject(BUSY);
    try {
      return await carryOut(checked.body, request);
    } finally {
      permit.release();
    }
  };
}

export const createEvents: Operation = {
  method: 'post',
  path: '/api/v1/events/batch',
  operationId: 'createEvents',
  scope: 'events:write',
  memory: RESPONSE_BYTES,
  maxBodyBytes: MAX_BATCH_BYTES,
  summary: 'Send up to 100 events',
  description:
    `Accepts up to ${MAX_BATCH_EVENTS} events in one request of at most 1 MiB, and answers 200 with one result for each, in ` +
    'order: the status and response that a single request would get. Quota and rate limit count each event; ' +
    'the event that exceeds the quota, and those after it, get 402. An event whose key was accepted before gets its stored ' +
    'response, so a batch whose response was lost can be sent again unchanged. A key that the batch repeats counts once: later events with it get 409 ' +
    '`idempotency_key_repeated`. With `atomic`, one refused event prevents storing any of them; the others get 409 ' +
    '`batch_aborted`.',
  traits: {
    idempotency: { key: 'ignored' },
    share: 'work',
    checksQuotaAndPayment: false,
  },
  parameters: [],
  body: { schema: BATCH_SCHEMA, examples: BATCH_EXAMPLES },
  success: {
    status: 200,
    schema: ref('EventResults'),
    example: BATCH_RESULTS_EXAMPLE,
  },
  errors: [],
  run: runBatch,
};
