import {
  createReplay,
  type Database,
  type DatabaseClock,
  draftRuns,
  type MessageRecord,
  readInEnvironments,
  readMessage,
  type Snapshots,
} from '@postrider/db';
import type { EnqueueRuns } from '@postrider/queue';
import { acceptedBody } from '../events/accepted-body.ts';
import type { Operation } from '../http/protected-route.ts';
import { type Reply, refuse } from '../http/reply.ts';
import { quotaExceeded } from '../pipeline/enforce-hard-quota.ts';
import { stillInProgress } from '../pipeline/enforce-idempotency.ts';
import { createSpentQuota } from '../pipeline/spent-quota.ts';
import type { Identified } from '../pipeline/stage.ts';
import { compileBody } from '../validation/body-validator.ts';
import { invalid, parseOptionalBody } from '../validation/parse-body.ts';
import { messageIdOf } from './message-id.ts';
import { planReplay } from './plan-replay.ts';
import { REPLAY_BODY_SCHEMA, type ReplayBody } from './schema.ts';

export interface ReplayMessageDeps {
  readonly clock: DatabaseClock;
  readonly db: Database;
  readonly enqueue: EnqueueRuns;
  readonly snapshots: Pick<Snapshots, 'drop'>;
}

const CREATED = 201;

/**
 * POST /api/v1/messages/{messageId}/replay: makes new, immediate runs with the templates that are active now.
 */
export function replayMessage({ clock, db, enqueue, snapshots }: ReplayMessageDeps): Operation {
  const validateBody = compileBody<ReplayBody>(REPLAY_BODY_SCHEMA);
  const acceptReplay = createReplay(db);
  const spentQuota = createSpentQuota(snapshots);

  async function run(request: Identified): Promise<Reply> {
    const parsed = parseOptionalBody(request.bytes);
    if (parsed.outcome === 'refused') return parsed.refusal;
    const validated = validateBody(parsed.value);
    if (!('body' in validated)) return invalid(validated.faults);

    const messageId = messageIdOf(request);
    const environmentId = request.snapshot.environment.id;
    const message =
      messageId &&
      (await readInEnvironments(db, [environmentId], (tx) => readMessage(tx, { environmentId, messageId })));
    if (!message) return refuse('message_not_found');
    if (message.test) return refuse('conflict', { message: 'A test is not replayed: send another one.' });
    if (message.erasedAt) {
      return refuse('conflict', { message: 'The recipient’s data was erased: there is nothing to deliver.' });
    }
    const planned = planReplay(request.snapshot, message, validated.body.channels ?? null);
    if (planned.faults.length > 0) return invalid(planned.faults);
    return accept(request, message, planned.runs);
  }

  async function accept(
    request: Identified,
    message: MessageRecord,
    runs: ReturnType<typeof planReplay>['runs'],
  ): Promise<Reply> {
    const { snapshot, claim } = request;
    const drafted = draftRuns(runs, { now: await clock.read(), messageId: message.id });
    const responseBody = acceptedBody(drafted);
    const replayed = await acceptReplay({
      ...drafted,
      tenantId: snapshot.tenant.id,
      environmentId: snapshot.environment.id,
      traceparent: request.context.traceparent,
      answer: claim && { ...claim, responseStatus: CREATED, responseBody },
    });
    switch (replayed.outcome) {
      case 'accepted':
        spentQuota.accepted(snapshot, replayed.eventsUsed);
        void enqueue(replayed.enqueue);
        return { status: CREATED, body: responseBody };
      case 'message_not_found':
        return refuse('message_not_found');
      case 'quota_exceeded':
        spentQuota.exceeded(snapshot);
        return quotaExceeded(replayed);
      case 'duplicate':
      case 'in_progress':
        return stillInProgress();
    }
  }

  return {
    method: 'POST',
    path: '/api/v1/messages/:messageId/replay',
    traits: {
      idempotency: { operation: 'messages.replay', key: 'honoured' },
      body: 'optional',
      createsDeliveries: true,
    },
    run,
  };
}
