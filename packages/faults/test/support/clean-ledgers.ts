import type {
  ClientRequest,
  LedgerAttempt,
  LedgerIdempotencyRecord,
  LedgerRun,
  Ledgers,
  LedgerTransition,
  ReceivedSend,
  SendContent,
} from '../../src/ledgers.ts';

const TENANT = 'ten_1';
const ENVIRONMENT = 'env_1';
/** The counted events: seven events and one replay. */
const CHARGED = 8;

const attempt = (changes: Partial<LedgerAttempt>): LedgerAttempt => ({
  number: 1,
  fence: 1,
  status: 'succeeded',
  errorCode: null,
  startedAt: 1_100,
  completedAt: 1_200,
  ...changes,
});

const run = (id: string, changes: Partial<LedgerRun>): LedgerRun => ({
  id: `run_${id}`,
  messageId: `msg_${id}`,
  replay: 0,
  status: 'succeeded',
  maxAttempts: 3,
  attemptCount: 1,
  fence: 1,
  scheduledAt: null,
  dueAt: 1_000,
  createdAt: 1_000,
  completedAt: 1_200,
  place: null,
  attempts: [attempt({})],
  ...changes,
});

const request = (id: string, changes: Partial<ClientRequest> = {}): ClientRequest => ({
  reference: `event-${id}`,
  key: `key-${id}`,
  variant: 'a',
  recipient: `${id}@example.com`,
  answer: { status: 201, messageId: `msg_${id}`, runIds: [`run_${id}`], replayed: false },
  ...changes,
});

const record = (
  operation: string,
  changes: Pick<LedgerIdempotencyRecord, 'key' | 'messageId'> & { runId?: string },
): LedgerIdempotencyRecord => ({ environmentId: ENVIRONMENT, operation, runId: null, ...changes });

const path = (id: string, statuses: readonly LedgerTransition['to'][]): LedgerTransition[] =>
  statuses.map((to, index) => ({ runId: `run_${id}`, from: statuses[index - 1] ?? null, to }));

/** The content of a webhook of the event `id`, sent for its run or another. */
export const contentOf = (id: string, runId = id): SendContent => ({
  reference: `event-${id}`,
  variant: 'a',
  recipient: `${id}@example.com`,
  ids: [`msg_${id}`, `run_${runId}`],
});

const send = (id: string, at: number, answer: ReceivedSend['answer'] = 'accepted'): ReceivedSend => ({
  runId: `run_${id}`,
  kind: 'webhook',
  at,
  answer,
  content: contentOf(id),
});

/**
 * Ledgers with everything that may happen and nothing that may not: a plain delivery (`plain`), an event whose answer
 * was lost and that the client repeated (`asked-twice`), a delivery that was first refused (`refused`), one that was
 * sent twice because its worker was lost (`doubled`), one that was scheduled (`scheduled`), one that was cancelled
 * (`cancelled`), and one that was replayed by a repeated request (`replayed`, run `again`).
 */
export function cleanLedgers(): Ledgers {
  const ids = ['plain', 'asked-twice', 'refused', 'doubled', 'scheduled', 'cancelled', 'replayed'];
  const replayed = { status: 201, messageId: 'msg_replayed', runIds: ['run_again'], replayed: false };
  return {
    client: {
      requests: [
        ...ids.map((id) => request(id)),
        request('asked-twice', { answer: null }),
        request('refused-request', {
          answer: { status: 503, messageId: null, runIds: [], replayed: false },
        }),
      ],
      replays: [
        { messageId: 'msg_replayed', key: 'key-replay', answer: null },
        { messageId: 'msg_replayed', key: 'key-replay', answer: replayed },
      ],
      cancels: [
        { runId: 'run_cancelled', key: 'key-cancel', status: null, code: null },
        { runId: 'run_cancelled', key: 'key-cancel', status: 200, code: null },
        { runId: 'run_plain', key: 'key-cancel-late', status: 409, code: 'delivery_run_not_cancellable' },
      ],
      expiredKeys: [],
      exchanges: [],
    },
    receivers: [
      send('plain', 1_150),
      { ...send('asked-twice', 1_150), kind: 'email', content: { ...contentOf('asked-twice'), ids: [] } },
      send('refused', 1_150, 'refused'),
      send('refused', 1_350),
      send('doubled', 1_150),
      send('doubled', 1_350),
      send('scheduled', 5_150),
      send('replayed', 1_150),
      { ...send('again', 1_150), content: contentOf('replayed', 'again') },
    ],
    database: {
      messages: ids.map((id) => ({
        id: `msg_${id}`,
        environmentId: ENVIRONMENT,
        reference: `event-${id}`,
        variant: 'a',
        replayCount: id === 'replayed' ? 1 : 0,
        channelCount: 1,
      })),
      runs: [
        run('plain', {}),
        run('asked-twice', {}),
        run('refused', {
          attemptCount: 2,
          fence: 2,
          attempts: [
            attempt({ status: 'failed', errorCode: 'webhook_http_error' }),
            attempt({ number: 2, fence: 2, startedAt: 1_300, completedAt: 1_400 }),
          ],
        }),
        run('doubled', {
          attemptCount: 2,
          fence: 2,
          attempts: [
            attempt({ status: 'unknown', errorCode: 'worker_lost' }),
            attempt({ number: 2, fence: 2, startedAt: 1_300, completedAt: 1_400 }),
          ],
        }),
        run('scheduled', {
          scheduledAt: 5_000,
          dueAt: 5_000,
          attempts: [attempt({ startedAt: 5_100, completedAt: 5_200 })],
        }),
        run('cancelled', {
          status: 'cancelled',
          scheduledAt: 5_000,
          dueAt: 5_000,
          fence: 0,
          attempts: [attempt({ fence: 0, status: 'cancelled', errorCode: 'scheduled_cancelled' })],
        }),
        run('replayed', {}),
        run('again', { messageId: 'msg_replayed', replay: 1 }),
      ],
      idempotency: [
        ...ids.map((id) => record('events.create', { key: `key-${id}`, messageId: `msg_${id}` })),
        record('messages.replay', { key: 'key-replay', messageId: 'msg_replayed' }),
        record('delivery-runs.cancel', {
          key: 'key-cancel',
          messageId: 'msg_cancelled',
          runId: 'run_cancelled',
        }),
      ],
      usage: {
        tenants: [{ tenantId: TENANT, used: CHARGED, limit: CHARGED }],
        environments: [{ environmentId: ENVIRONMENT, tenantId: TENANT, used: CHARGED }],
      },
      transitions: [
        ...path('plain', ['queued', 'running', 'succeeded']),
        ...path('asked-twice', ['queued', 'running', 'succeeded']),
        ...path('refused', ['queued', 'running', 'retrying', 'running', 'succeeded']),
        ...path('doubled', ['queued', 'running', 'retrying', 'running', 'succeeded']),
        ...path('scheduled', ['scheduled', 'running', 'succeeded']),
        ...path('cancelled', ['scheduled', 'cancelled']),
        ...path('replayed', ['queued', 'running', 'succeeded']),
        ...path('again', ['queued', 'running', 'succeeded']),
      ],
    },
  };
}
