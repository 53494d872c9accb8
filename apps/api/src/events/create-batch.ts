import { dated, type EventOutcome, type IdempotencyClaim } from '@postrider/db';
import {
  fingerprint,
  type JsonObject,
  parseIdempotencyKey,
  parseJson,
  whyUnstorable,
} from '@postrider/domain';
import { formRefusal, jsonBytes, type Reply, refuse, type Success } from '../http/reply.ts';
import { BATCH_EXAMPLES, BATCH_RESULTS_EXAMPLE } from '../openapi/examples.ts';
import { ref } from '../openapi/schema.ts';
import { stillInProgress } from '../pipeline/idempotency.ts';
import { createSpentQuota, exhausted, quotaExceeded, takeRequestTokens, unpaid } from '../pipeline/limits.ts';
import type { Identified, Operation, OperationDeps, RunOperation } from '../pipeline/stage.ts';
import { bodyLimit } from '../pipeline/token-and-body.ts';
import { compileBody, invalid } from '../validation/body.ts';
import { createPayloadCheck } from '../validation/payload-schemas.ts';

import { BATCH_SCHEMA, type BatchBody, MAX_BATCH_EVENTS } from './batch-schema.ts';
import { CREATED, draftEvent, type ValidEvent } from './draft-event.ts';
import { createValidateEvent } from './validate-event.ts';

const MAX_BATCH_BYTES = 1024 * 1024;

/** One event on its way to its result. */
interface Item {
  readonly index: number;
  readonly claim: IdempotencyClaim;
  readonly event: JsonObject;
  /** Length of its compact JSON. */
  readonly bytes: number;
}

/** The results of a batch, by the place of the event. What has none is still open. */
class Results {
  readonly #replies: (Reply | null)[];

  constructor(count: number) {
    this.#replies = Array.from({ length: count }, () => null);
  }

  set({ index }: Pick<Item, 'index'>, reply: Reply): void {
    this.#replies[index] = reply;
  }

  /** Of the items, those that are still open. */
  open(items: readonly Item[]): Item[] {
    return items.filter(({ index }) => this.#replies[index] === null);
  }

  hasRefusal(): boolean {
    return this.#replies.some((reply) => reply !== null && 'refused' in reply);
  }

  /** All of them. Of what is open, nothing is stored. */
  final(): readonly Reply[] {
    return this.#replies.map((reply) => reply ?? refuse('batch_aborted'));
  }
}

/** A result as its part of the response; the bytes of a stored response are not touched. */
function resultBytes(reply: Reply, requestId: string | null): Uint8Array {
  const { status, body, headers = {} } = 'refused' in reply ? formRefusal(reply, requestId) : reply;
  const more = [
    headers['Idempotent-Replayed'] === undefined ? '' : ',"idempotent_replayed":true',
    headers['Retry-After'] === undefined ? '' : `,"retry_after":${headers['Retry-After']}`,
  ];
  return Buffer.concat([Buffer.from(`{"status":${status},"body":`), body, Buffer.from(`${more.join('')}}`)]);
}

const COMMA = Buffer.from(',');

function respond(replies: readonly Reply[], requestId: string | null): Success {
  const parts = replies.flatMap((reply, index) => [
    ...(index > 0 ? [COMMA] : []),
    resultBytes(reply, requestId),
  ]);
  return { status: 200, body: Buffer.concat([Buffer.from('{"results":['), ...parts, Buffer.from(']}')]) };
}

/** Reads the items; what can be refused of one without looking at the others has its result. */
function readItems({ events }: BatchBody, { snapshot }: Identified, results: Results): Item[] {
  const limit = bodyLimit(snapshot.plan);
  const keys = new Set<string>();
  return events.flatMap(({ idempotency_key: text, event }, index) => {
    const key = parseIdempotencyKey(text);
    if (key === null) {
      results.set({ index }, refuse('idempotency_key_invalid'));
      return [];
    }
    if (keys.has(key)) {
      results.set({ index }, refuse('idempotency_key_repeated'));
      return [];
    }
    keys.add(key);
    const unstorable = whyUnstorable(event);
    if (unstorable !== null) {
      results.set({ index }, refuse('invalid_json', { message: unstorable }));
      return [];
    }
    const bytes = jsonBytes(event);
    const claim: IdempotencyClaim = {
      environmentId: snapshot.environment.id,
      operation: 'events.create',
      key,
      fingerprint: fingerprint(bytes),
    };
    if (bytes.byteLength > limit) {
      results.set(
        { index },
        refuse('payload_too_large', { message: `The event is larger than ${limit} bytes.` }),
      );
      return [];
    }
    return [{ index, claim, event, bytes: bytes.byteLength }];
  });
}

/** Makes a message with its runs for each event of a batch that is accepted. */
function runBatch(deps: OperationDeps): RunOperation {
  const { clock, ingestBatch, enqueue, snapshots, findStoredAnswer, takeBucketTokens } = deps;
  const checkBody = compileBody<BatchBody>(BATCH_SCHEMA);
  const validate = createValidateEvent(createPayloadCheck());
  const spentQuota = createSpentQuota(snapshots);

  /** The result that an item's key calls for by now, null when its key is new. */
  async function storedReply({ claim }: Item): Promise<Reply | null> {
    const stored = await findStoredAnswer(claim);
    if (!stored) return null;
    if (!Buffer.from(stored.fingerprint).equals(claim.fingerprint)) return refuse('idempotency_conflict');
    return { status: stored.status, body: stored.body, headers: { 'Idempotent-Replayed': 'true' } };
  }

  async function answerStored(items: readonly Item[], results: Results): Promise<void> {
    const replies = await Promise.all(items.map(storedReply));
    items.forEach((item, index) => {
      const reply = replies[index];
      if (reply) results.set(item, reply);
    });
  }

  /** Refuses the items that quota, payment and rate limit refuse, in the pipeline's order. */
  async function applyLimits(items: readonly Item[], request: Identified, results: Results): Promise<void> {
    const { snapshot, replyHeaders } = request;
    const refusal = exhausted(snapshot) ?? unpaid(snapshot);
    if (refusal) for (const item of items) results.set(item, refusal);
    if (refusal || items.length === 0) return;
    const tokens = await takeRequestTokens(takeBucketTokens, { snapshot, replyHeaders }, items.length);
    if (tokens.refusal) for (const item of items.slice(tokens.taken)) results.set(item, tokens.refusal);
  }

  function validated(
    items: readonly Item[],
    { snapshot }: Identified,
    results: Results,
  ): [Item, ValidEvent][] {
    return items.flatMap((item): [Item, ValidEvent][] => {
      const result = validate(item.event, snapshot);
      if (result.outcome === 'valid') return [[item, result]];
      results.set(item, invalid(result.issues));
      return [];
    });
  }

  async function replyTo(
    item: Item,
    outcome: EventOutcome,
    { snapshot, context }: Identified,
  ): Promise<Reply | null> {
    switch (outcome.outcome) {
      case 'accepted':
        spentQuota.accepted(snapshot, outcome.eventsUsed);
        return { status: CREATED, body: outcome.body };
      case 'quota_exceeded':
        spentQuota.exceeded(snapshot);
        return (await storedReply(item)) ?? quotaExceeded(outcome);
      case 'duplicate':
        return (await storedReply(item)) ?? stillInProgress();
      case 'in_progress':
        return stillInProgress();
      case 'failed':
        context.facts.error_code = 'internal_error';
        return refuse('internal_error');
      case 'aborted':
        return null;
    }
  }

  async function accept(
    valid: readonly [Item, ValidEvent][],
    { request, atomic, results }: { request: Identified; atomic: boolean; results: Results },
  ): Promise<void> {
    const { outcomes } = await dated(clock, (now) =>
      ingestBatch({
        events: valid.map(([{ claim, bytes }, event]) => draftEvent(event, request, { claim, now, bytes })),
        atomic,
      }),
    );
    // Best effort, and nobody waits for it: the rows are the outbox that the sweeper works from.
    void enqueue(outcomes.flatMap((outcome) => (outcome.outcome === 'accepted' ? outcome.enqueue : [])));
    await Promise.all(
      valid.map(async ([item], index) => {
        const outcome = outcomes[index];
        const reply = outcome && (await replyTo(item, outcome, request));
        if (reply) results.set(item, reply);
      }),
    );
  }

  return async (request) => {
    const parsed = parseJson(request.bytes);
    if (!parsed.ok) return refuse('invalid_json', { message: parsed.reason });
    const checked = checkBody(parsed.value);
    if (!('body' in checked)) return invalid(checked.issues);
    const { atomic = false } = checked.body;

    const results = new Results(checked.body.events.length);
    const items = readItems(checked.body, request, results);
    await answerStored(items, results);
    await applyLimits(results.open(items), request, results);
    const valid = validated(results.open(items), request, results);
    const mayStore = valid.length > 0 && !(atomic && results.hasRefusal());
    if (mayStore) await accept(valid, { request, atomic, results });
    return respond(results.final(), request.context.requestId);
  };
}

export const createEvents: Operation = {
  method: 'post',
  path: '/api/v1/events/batch',
  operationId: 'createEvents',
  summary: 'Send up to 100 events',
  description:
    `Accepts up to ${MAX_BATCH_EVENTS} events in one request of at most 1 MiB, and answers 200 with one result for each, in ` +
    'their order: the status and the response that the event would have got alone. Quota and rate limit count each event; ' +
    'the event that exceeds the quota, and those after it, get 402. An event whose key was accepted before gets its first ' +
    'response again, so a batch whose response was lost can be sent again as it was. Its fingerprint is that of the event ' +
    'as compact JSON, with the keys in the order sent. A key that the batch repeats is one event: the later ones get 409 ' +
    '`idempotency_key_repeated`. With `atomic`, one refused event keeps all of them from being stored; the others get 409 ' +
    '`batch_aborted`.',
  traits: {
    idempotency: { key: 'ignored' },
    body: 'required',
    maxBodyBytes: MAX_BATCH_BYTES,
    createsDeliveries: false,
    countsItems: true,
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
