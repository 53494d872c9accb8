import type { ViolationKind } from '../../src/check/violation.ts';
import type {
  ClientRequest,
  DatabaseLedger,
  LedgerAttempt,
  LedgerRun,
  Ledgers,
  ReceivedSend,
  SendContent,
} from '../../src/ledgers.ts';
import { cleanLedgers, contentOf } from '../support/clean-ledgers.ts';

/** What is planted, the ledgers with it, and exactly the kinds of violation that must be reported. */
export type Planted = readonly [string, Ledgers, readonly ViolationKind[]];

export const clean = cleanLedgers();

export const inDatabase = (changes: Partial<DatabaseLedger>): Ledgers => ({
  ...clean,
  database: { ...clean.database, ...changes },
});

export const withRun = (id: string, changes: Partial<LedgerRun>): Ledgers =>
  inDatabase({ runs: clean.database.runs.map((run) => (run.id === id ? { ...run, ...changes } : run)) });

export const withAttempts = (
  id: string,
  change: (attempt: LedgerAttempt) => Partial<LedgerAttempt>,
): Ledgers =>
  inDatabase({
    runs: clean.database.runs.map((run) =>
      run.id === id
        ? { ...run, attempts: run.attempts.map((attempt) => ({ ...attempt, ...change(attempt) })) }
        : run,
    ),
  });

export const withRequest = (changes: Partial<ClientRequest>): Ledgers => ({
  ...clean,
  client: {
    ...clean.client,
    requests: [
      ...clean.client.requests,
      {
        reference: 'event-plain',
        key: 'key-plain',
        variant: 'a',
        recipient: 'plain@example.com',
        answer: null,
        ...changes,
      },
    ],
  },
});

/** A send of the run `id`. */
export const sendOf = (id: string, content = contentOf(id), at = 1_150): ReceivedSend => ({
  runId: `run_${id}`,
  kind: 'webhook',
  at,
  answer: 'accepted',
  content,
});

export const withSend = (id: string, changes: Partial<ReceivedSend> = {}): Ledgers => ({
  ...clean,
  receivers: [...clean.receivers, { ...sendOf(id, contentOf(id), 6_000), ...changes }],
});

/** Changes the content of the send of the run `id`. */
export const withContent = (id: string, changes: Partial<SendContent>): Ledgers => ({
  ...clean,
  receivers: clean.receivers.map((send) =>
    send.runId === `run_${id}` ? { ...send, content: { ...send.content, ...changes } } : send,
  ),
});

/** Adds a run `twin` of the same message with the same history. */
export const withTwin = (id: string): Ledgers => {
  const { receivers, database } = clean;
  const twins = <Entry extends { readonly runId: string }>(entries: readonly Entry[]): Entry[] =>
    entries.filter(({ runId }) => runId === `run_${id}`).map((entry) => ({ ...entry, runId: 'run_twin' }));
  return {
    ...clean,
    receivers: [
      ...receivers,
      ...twins(receivers).map((send) => ({ ...send, content: contentOf(id, 'twin') })),
    ],
    database: {
      ...database,
      runs: database.runs.flatMap((run) =>
        run.id === `run_${id}` ? [run, { ...run, id: 'run_twin' }] : [run],
      ),
      transitions: [...database.transitions, ...twins(database.transitions)],
    },
  };
};

export const created = (messageId: string, runIds: readonly string[] = []) => ({
  status: 201,
  messageId,
  runIds,
  replayed: false,
});

export const charged = (used: number): Pick<DatabaseLedger, 'usage'> => ({
  usage: {
    tenants: [{ tenantId: 'ten_1', used, limit: null }],
    environments: [{ environmentId: 'env_1', tenantId: 'ten_1', used }],
  },
});

export const withoutMessage = (id: string) =>
  clean.database.messages.filter((message) => message.id !== `msg_${id}`);
