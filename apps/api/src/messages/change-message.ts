import {
  acceptInEnvironment,
  type ChangedRuns,
  cancelMessage,
  LARGE_MESSAGE_FIELDS,
  outcomeOf,
  readMessage,
  rescheduleMessage,
} from '@postrider/db';
import {
  conflict,
  formatId,
  invalid,
  invalidValue,
  type JsonValue,
  parseTimestamp,
  presentRunSummary,
  reject,
} from '@postrider/domain';
import { scheduleIssues } from '../events/issues.ts';
import { MEMORY } from '../http/memory.ts';
import { MESSAGE_CANCELLED_EXAMPLE, MESSAGE_RESCHEDULED_EXAMPLE } from '../openapi/examples.ts';
import { returns } from '../openapi/operation.ts';
import * as json from '../openapi/schema.ts';
import { type OperationDeps, operatorAudit, publicOperation } from '../pipeline/operation.ts';
import type { ApiRequest } from '../pipeline/stage.ts';
import { messageKeyOf } from './message.ts';

/** Both changes are idempotent, so they need no Idempotency-Key. */
const TRAITS = { idempotency: { key: 'ignored' }, share: 'work', checksQuotaAndPayment: false } as const;

const RESCHEDULE_SCHEMA = json.closedObject(['schedule_at'], {
  schedule_at: {
    type: 'string',
    format: 'date-time',
    description: 'When to deliver: RFC 3339 with offset. A time that is not in the future means at once.',
  },
});

const CANCEL_SCHEMA = json.closedObject([], {});

const RUN_FIELDS = {
  id: json.id('run', 'The delivery run.'),
  channel: json.ref('Channel'),
  status: json.text('See DeliveryRun.'),
  scheduled_at: json.optionalTime('When it is to be sent.'),
};

const changedRuns = (done: string): json.Schema =>
  json.list(
    json.record('The outcome for a run.', {
      ...RUN_FIELDS,
      outcome: json.oneOf(
        [done, 'already_cancelled', 'not_waiting'],
        '`not_waiting`: it was sent, is being sent, waits for a retry, or has ended; it is not ' + 'changed.',
      ),
    }),
    'The first 100 runs, oldest first.',
  );

/** Response schemas (docs/specification.md, "Reads and actions" and "Reschedule"). */
export const CHANGED_MESSAGE_SCHEMAS: json.Schemas = {
  CancelledMessage: json.record('The result of cancelling a message.', {
    message_id: json.id('msg', 'The message.'),
    delivery_runs: changedRuns('cancelled'),
  }),
  RescheduledMessage: json.record('The result of rescheduling a message.', {
    message_id: json.id('msg', 'The message.'),
    schedule_at: json.optionalTime('The new time.'),
    delivery_runs: changedRuns('rescheduled'),
  }),
};

const presentRuns = (changed: ChangedRuns, done: string): JsonValue[] =>
  changed.runs.map((run) => ({ ...presentRunSummary(run), outcome: outcomeOf(run, changed, done) }));

type AboutMessage = ApiRequest & { readonly ids: { readonly messageId: string } };

function runCancel({ db, newId }: OperationDeps) {
  return (request: AboutMessage) => {
    const key = messageKeyOf(request);
    return acceptInEnvironment(db, key.environmentId, async (tx) => {
      const cancelled = (await cancelMessage(tx, { newId, ...key })) ?? reject('message_not_found');
      const message_id = formatId('msg', key.messageId);
      if (cancelled.changed.size > 0) {
        const delivery_run_ids = [...cancelled.changed].map((runId) => formatId('run', runId));
        const change = {
          action: 'message.cancelled' as const,
          resourceId: message_id,
          after: { delivery_run_ids },
        };
        await operatorAudit({ newId }, request, change)?.(tx);
      }
      return { message_id, delivery_runs: presentRuns(cancelled, 'cancelled') };
    });
  };
}

function runReschedule({ db, newId, enqueue }: OperationDeps) {
  return async (request: AboutMessage & { readonly body: json.BodyOf<typeof RESCHEDULE_SCHEMA> }) => {
    const scheduleAt = parseTimestamp(request.body.schedule_at);
    const issues = scheduleAt === null ? [] : scheduleIssues(scheduleAt, request.snapshot);
    if (scheduleAt === null || issues.length > 0) reject(invalid(issues));
    const key = messageKeyOf(request);
    const message_id = formatId('msg', key.messageId);
    const schedule_at = scheduleAt.toISOString();
    const moved = await acceptInEnvironment(db, key.environmentId, async (tx) => {
      const message =
        (await readMessage(tx, { ...key, omit: LARGE_MESSAGE_FIELDS })) ?? reject('message_not_found');
      if (message.expiresAt && message.expiresAt <= scheduleAt)
        reject(invalid([invalidValue('/schedule_at', 'must be before expires_at')]));
      const rescheduled =
        (await rescheduleMessage(tx, { scheduleAt, ...key })) ?? reject('message_not_found');
      if (rescheduled.changed.size === 0)
        reject(conflict('No delivery run of the message is still scheduled.'));
      const change = {
        action: 'message.rescheduled' as const,
        resourceId: message_id,
        after: { schedule_at },
      };
      await operatorAudit({ newId }, request, change)?.(tx);
      return rescheduled;
    });
    // Best effort, as for an event: the poll finds the runs by their rows.
    void enqueue(moved.wakeUps);
    return { message_id, schedule_at, delivery_runs: presentRuns(moved, 'rescheduled') };
  };
}

export const cancelWholeMessage = publicOperation({
  method: 'post',
  path: '/api/v1/messages/{messageId}/cancel',
  operationId: 'cancelMessage',
  asOperator: 'cancelEnvironmentMessage',
  scope: 'deliveries:cancel',
  memory: MEMORY.rows,
  summary: 'Cancel a scheduled message',
  description:
    'Cancels every delivery run of the message that is still `scheduled`, and returns the ' +
    'outcome for each run. A run with the outcome `cancelled` is never sent. Repeating the ' +
    'request changes nothing. The event still counts against the quota.',
  traits: TRAITS,
  body: {
    use: 'optional',
    schema: CANCEL_SCHEMA,
    examples: { empty: { summary: 'Without fields', value: {} } },
  },
  success: returns('CancelledMessage', MESSAGE_CANCELLED_EXAMPLE),
  run: runCancel,
});

export const reschedule = publicOperation({
  method: 'patch',
  path: '/api/v1/messages/{messageId}',
  operationId: 'rescheduleMessage',
  asOperator: 'rescheduleEnvironmentMessage',
  scope: 'deliveries:cancel',
  memory: MEMORY.rows,
  summary: 'Reschedule a message',
  description:
    'Changes the time of every delivery run of the message that is still `scheduled`, and ' +
    'returns the outcome for each run. 409 `conflict` if there is none.',
  traits: TRAITS,
  body: {
    schema: RESCHEDULE_SCHEMA,
    examples: { later: { summary: 'Another day', value: { schedule_at: '2026-12-24T18:00:00Z' } } },
  },
  success: returns('RescheduledMessage', MESSAGE_RESCHEDULED_EXAMPLE),
  errors: ['conflict'],
  run: runReschedule,
});
