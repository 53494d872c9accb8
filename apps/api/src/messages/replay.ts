import {
  countRunMessageBytes,
  createReplay,
  draftRuns,
  type MessageRecord,
  readConsumerDelivery,
  readInEnvironments,
  readMessage,
} from '@postrider/db';
import { formatId, parseId, SELF_SERVICE_LIMITS } from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import { acceptedBody } from '../delivery-runs/present.ts';
import type { CountStored } from '../http/memory.ts';
import { type Refusal, type Reply, refuse } from '../http/reply.ts';
import { REPLAY_EXAMPLES, REPLAYED_EXAMPLE } from '../openapi/examples.ts';
import { PATH_PARAMETERS } from '../openapi/parameters.ts';
import { ref } from '../openapi/schema.ts';
import { stillInProgress } from '../pipeline/idempotency.ts';
import { createSpentQuota, quotaExceeded } from '../pipeline/limits.ts';
import {
  auditOf,
  type Identified,
  type Operation,
  type OperationDeps,
  type RunOperation,
} from '../pipeline/stage.ts';
import { compileBody, invalid, parseOptionalBody } from '../validation/body.ts';
import { countMessage } from './message.ts';
import { type NotReplayed, type PlannedReplay, planReplay } from './plan-replay.ts';

interface ReplayBody {
  readonly channels?: readonly string[];
}

/** Optional body of POST /api/v1/messages/{messageId}/replay (docs/specification.md, "Replay"). */
export const REPLAY_BODY_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    channels: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      items: { type: 'string' },
      description: 'Ids of the channels to deliver to. Default: all that take the event.',
    },
  },
} as const satisfies SchemaObject;

/** The UUID of the path's `messageId`, or null. It is noted for the log. */
export function messageIdOf({ params, context }: Identified): string | null {
  const text = String(params.messageId);
  const id = parseId('msg', text);
  if (id !== null) context.facts.message_id = text;
  return id;
}

const CREATED = 201;
const { count: MAX_REPLAYS } = SELF_SERVICE_LIMITS.replaysOfConsumer;

const presentSkipped = ({ channel, reason, condition }: NotReplayed) => ({
  channel: { ...channel, id: formatId('chn', channel.id) },
  reason,
  condition,
});

const refuseErased = () =>
  refuse('conflict', { message: 'The recipient’s data was erased: there is nothing to deliver.' });

/** What a replay is about: the UUID of the message, and the public ids of the channels; null for all that take the event. */
interface Target {
  readonly messageId: string;
  readonly channels: readonly string[] | null;
}

/** Creates new, immediate runs with the templates that are active now. */
function runReplay(
  { clock, db, enqueue, newId, snapshots }: OperationDeps,
  targetOf: (request: Identified, body: ReplayBody) => Target | Refusal | Promise<Target | Refusal>,
): RunOperation {
  const validateBody = compileBody<ReplayBody>(REPLAY_BODY_SCHEMA);
  const acceptReplay = createReplay(db);
  const spentQuota = createSpentQuota(snapshots);

  async function accept(
    request: Identified,
    message: MessageRecord,
    { runs, skipped }: PlannedReplay,
  ): Promise<Reply> {
    const { snapshot, claim, consumerId: replayedBy } = request;
    const drafted = draftRuns(runs, { now: await clock.read(), messageId: message.id });
    const responseBody = acceptedBody(drafted, { skipped_channels: skipped.map(presentSkipped) });
    const replayed = await acceptReplay({
      ...drafted,
      tenantId: snapshot.tenant.id,
      environmentId: snapshot.environment.id,
      replayedBy,
      traceparent: request.context.traceparent,
      response: claim && { ...claim, responseStatus: CREATED, responseBody },
      audit: auditOf({ newId }, request, {
        action: 'message.replayed',
        resourceId: formatId('msg', message.id),
        after: { delivery_run_ids: drafted.runs.map(({ id }) => formatId('run', id)) },
      }),
    });
    switch (replayed.outcome) {
      case 'accepted':
        spentQuota.accepted(snapshot, replayed.eventsUsed);
        void enqueue(replayed.enqueue);
        return { status: CREATED, body: responseBody };
      case 'message_not_found':
        return refuse('message_not_found');
      case 'message_erased':
        return refuseErased();
      case 'quota_exceeded':
        if (replayed.consumerId === undefined) spentQuota.exceeded(snapshot);
        return quotaExceeded(replayed);
      case 'replays_exceeded':
        return refuse('rate_limited', {
          message: `The callers of a consumer can replay ${MAX_REPLAYS.toLocaleString('en')} messages in a day (UTC).`,
          headers: { 'Retry-After': String(replayed.retryAfterSeconds) },
        });
      case 'duplicate':
      case 'in_progress':
        return stillInProgress();
    }
  }

  return async (request) => {
    const parsed = parseOptionalBody(request.bytes);
    if (parsed.outcome === 'refused') return parsed.refusal;
    const validated = validateBody(parsed.value);
    if (!('body' in validated)) return invalid(validated.issues);

    const environmentId = request.snapshot.environment.id;
    const target = await targetOf(request, validated.body);
    if ('refused' in target) return target;
    const { messageId } = target;
    const message = await readInEnvironments(db, [environmentId], (tx) =>
      readMessage(tx, { environmentId, messageId }),
    );
    if (!message) return refuse('message_not_found');
    if (message.test)
      return refuse('conflict', { message: 'A test send cannot be replayed: send another test.' });
    if (message.operational)
      return refuse('conflict', { message: 'An operational event cannot be replayed.' });
    if (message.erasedAt) return refuseErased();
    const { consumerId: id } = message;
    const consumer = id === null ? null : await snapshots.consumer({ environmentId, id });
    const planned = planReplay(request.snapshot, { message, consumer }, target.channels);
    if (planned.issues.length > 0) return invalid(planned.issues);
    return accept(request, message, planned);
  };
}

export const replay: Operation = {
  method: 'post',
  path: '/api/v1/messages/{messageId}/replay',
  operationId: 'replayMessage',
  scope: 'replays:write',
  memory: countMessage,
  summary: 'Replay a message',
  description:
    'Creates new delivery runs for the message, with the current channels, filters and ' +
    'templates. `skipped_channels` are those that take its event key and get no run. The runs ' +
    'are immediate, even if the event was scheduled. Counts 1 against the quota. The body is ' +
    'optional.',
  traits: {
    idempotency: { operation: 'messages.replay', key: 'honoured' },
    body: 'optional',
    share: 'work',
    createsDeliveries: true,
  },
  parameters: [PATH_PARAMETERS.messageId],
  body: { schema: REPLAY_BODY_SCHEMA, examples: REPLAY_EXAMPLES },
  success: { status: 201, schema: ref('Replayed'), example: REPLAYED_EXAMPLE },
  errors: ['message_not_found', 'conflict'],
  run: (deps) =>
    runReplay(deps, (request, { channels = null }) => {
      const messageId = messageIdOf(request);
      return messageId === null ? refuse('message_not_found') : { messageId, channels };
    }),
};

const countMessageOfRun: CountStored = async (db, { environmentId, params }) => {
  const runId = parseId('run', params.deliveryRunId ?? '');
  return environmentId === null || runId === null ? 0 : countRunMessageBytes(db, { environmentId, runId });
};

export const replayDelivery: Operation = {
  method: 'post',
  path: '/api/v1/consumers/{consumer}/deliveries/{deliveryRunId}/replay',
  operationId: 'replayConsumerDelivery',
  forConsumers: true,
  scope: 'replays:write',
  memory: countMessageOfRun,
  summary: 'Replay a delivery of a consumer',
  description:
    'Creates a new delivery run for the message, to the channel of this run alone, with its current filter and template. ' +
    'Counts 1 against the quota, and by a caller of the consumer also against its `events_per_month`.',
  traits: {
    idempotency: { operation: 'messages.replay', key: 'honoured' },
    body: 'ignored',
    share: 'work',
    createsDeliveries: true,
  },
  parameters: [PATH_PARAMETERS.consumer, PATH_PARAMETERS.deliveryRunId],
  success: { status: 201, schema: ref('Replayed'), example: REPLAYED_EXAMPLE },
  errors: ['consumer_not_found', 'delivery_run_not_found', 'conflict', 'validation_failed'],
  run: (deps) =>
    runReplay(deps, async (request) => {
      const { params, snapshot } = request;
      const environmentId = snapshot.environment.id;
      const id = PATH_PARAMETERS.consumer.parse(String(params.consumer));
      if (id === null || !(await deps.snapshots.consumer({ environmentId, id })))
        return refuse('consumer_not_found');
      const runId = PATH_PARAMETERS.deliveryRunId.parse(String(params.deliveryRunId));
      const run =
        runId &&
        (await readInEnvironments(deps.db, [environmentId], (tx) =>
          readConsumerDelivery(tx, { consumer: { environmentId, id }, runId }),
        ));
      return run
        ? { messageId: run.messageId, channels: [formatId('chn', run.channel.id)] }
        : refuse('delivery_run_not_found');
    }),
};
