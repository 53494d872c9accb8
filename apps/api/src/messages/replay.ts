import {
  acceptReplay,
  countRunMessageBytes,
  dated,
  draftRuns,
  type MessageRecord,
  NOTHING_TO_DELIVER,
  readConsumerDelivery,
  readInEnvironments,
  readMessage,
} from '@postrider/db';
import { conflict, formatId, invalid, parseId, reject } from '@postrider/domain';
import { acceptedBody } from '../events/create-event.ts';
import type { CountStored } from '../http/memory.ts';
import type { Success } from '../http/reply.ts';
import { REPLAY_EXAMPLES, REPLAYED_EXAMPLE } from '../openapi/examples.ts';
import { creates } from '../openapi/operation.ts';
import type { ParsedRequest } from '../openapi/request.ts';
import { type BodyOf, closedObject } from '../openapi/schema.ts';
import { type OperationDeps, operatorAudit, publicOperation } from '../pipeline/operation.ts';
import type { ApiRequest } from '../pipeline/stage.ts';
import { countMessage, messageKeyOf } from './message.ts';
import { type NotReplayed, type PlannedReplay, planReplay } from './plan-replay.ts';

/** Optional body of POST /api/v1/messages/{messageId}/replay (docs/specification.md, "Replay"). */
export const REPLAY_BODY_SCHEMA = closedObject([], {
  channels: {
    type: 'array',
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    items: { type: 'string' },
    description: 'Ids of the channels to deliver to. Default: all that take the event.',
  },
});

type ReplayBody = BodyOf<typeof REPLAY_BODY_SCHEMA>;

const CREATED = 201;

const presentSkipped = ({ channel, reason, condition }: NotReplayed) => ({
  channel: { ...channel, id: formatId('chn', channel.id) },
  reason,
  condition,
});

/** What a replay is about: the UUID of the message, and the public ids of the channels; null for all that take the event. */
interface Target {
  readonly messageId: string;
  readonly channels: readonly string[] | null;
}

/** Creates new, immediate runs with the templates that are active now. */
function runReplay<Request extends ApiRequest>(
  { clock, db, enqueue, newId, snapshots, spentQuota }: OperationDeps,
  targetOf: (request: Request) => Target | Promise<Target>,
) {
  async function accept(
    request: ApiRequest,
    message: MessageRecord,
    { runs, skipped }: PlannedReplay,
  ): Promise<Success> {
    const { snapshot, claim, consumerId: replayedBy } = request;
    const replayed = await dated(clock, async (now) => {
      const drafted = draftRuns(runs, { now, messageId: message.id });
      const body = acceptedBody(drafted, { skipped_channels: skipped.map(presentSkipped) });
      const reply = { status: CREATED, body };
      const outcome = await acceptReplay(db, {
        ...drafted,
        tenantId: snapshot.tenant.id,
        environmentId: snapshot.environment.id,
        replayedBy,
        traceparent: request.context.traceparent,
        response: claim && { ...claim, ...reply },
        audit: operatorAudit({ newId }, request, {
          action: 'message.replayed',
          resourceId: formatId('msg', message.id),
          after: { delivery_run_ids: drafted.runs.map(({ id }) => formatId('run', id)) },
        }),
      });
      return { ...outcome, reply };
    });
    if (replayed.outcome === 'quota_exceeded') reject(spentQuota.exceeded(replayed, snapshot));
    spentQuota.accepted(snapshot, replayed.eventsUsed);
    void enqueue(replayed.wakeUps);
    return replayed.reply;
  }

  return async (request: Request): Promise<Success> => {
    const environmentId = request.snapshot.environment.id;
    const { messageId, channels } = await targetOf(request);
    const found = await readInEnvironments(db, [environmentId], (tx) =>
      readMessage(tx, { environmentId, messageId }),
    );
    const message = found ?? reject('message_not_found');
    if (message.test) reject(conflict('A test send cannot be replayed: send another test.'));
    if (message.operational) reject(conflict('An operational event cannot be replayed.'));
    if (message.erasedAt) reject(NOTHING_TO_DELIVER);
    const { consumerId: id } = message;
    const consumer = id === null ? null : await snapshots.consumer({ environmentId, id });
    const planned = planReplay(request.snapshot, { message, consumer }, channels);
    if (planned.issues.length > 0) reject(invalid(planned.issues));
    return accept(request, message, planned);
  };
}

export const replay = publicOperation({
  method: 'post',
  path: '/api/v1/messages/{messageId}/replay',
  operationId: 'replayMessage',
  asOperator: 'replayEnvironmentMessage',
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
    share: 'work',
    checksQuotaAndPayment: true,
  },
  body: { use: 'optional', schema: REPLAY_BODY_SCHEMA, examples: REPLAY_EXAMPLES },
  success: creates('Replayed', REPLAYED_EXAMPLE),
  errors: ['conflict'],
  run: (deps) =>
    runReplay(deps, (request: ApiRequest & ParsedRequest<'messageId', ReplayBody, unknown>) => {
      const { channels = null } = request.body;
      return { messageId: messageKeyOf(request).messageId, channels };
    }),
});

const countMessageOfRun: CountStored = async (db, { environmentId, params }) => {
  const runId = parseId('run', params.deliveryRunId ?? '');
  return environmentId === null || runId === null ? 0 : countRunMessageBytes(db, { environmentId, runId });
};

export const replayDelivery = publicOperation({
  method: 'post',
  path: '/api/v1/consumers/{consumer}/deliveries/{deliveryRunId}/replay',
  operationId: 'replayConsumerDelivery',
  forConsumers: true,
  scope: 'replays:write',
  memory: countMessageOfRun,
  summary: 'Replay a delivery of a consumer',
  description:
    'Creates a new delivery run for the message, to the channel of this run alone, with its current filter and ' +
    'template. Counts 1 against the quota and, for a caller bound to the consumer, also against its ' +
    '`events_per_month`.',
  traits: {
    idempotency: { operation: 'messages.replay', key: 'honoured' },
    share: 'work',
    checksQuotaAndPayment: true,
  },
  success: creates('Replayed', REPLAYED_EXAMPLE),
  errors: ['conflict', 'validation_failed'],
  run: (deps) =>
    runReplay(
      deps,
      async ({
        ids,
        snapshot,
      }: ApiRequest & ParsedRequest<'consumer' | 'deliveryRunId', unknown, unknown>) => {
        const consumer = { environmentId: snapshot.environment.id, id: ids.consumer };
        if (!(await deps.snapshots.consumer(consumer))) reject('consumer_not_found');
        const run = await readInEnvironments(deps.db, [consumer.environmentId], (tx) =>
          readConsumerDelivery(tx, { consumer, runId: ids.deliveryRunId }),
        );
        return run
          ? { messageId: run.messageId, channels: [formatId('chn', run.channel.id)] }
          : reject('delivery_run_not_found');
      },
    ),
});
