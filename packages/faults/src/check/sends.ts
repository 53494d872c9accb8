import { groupBy } from '@postrider/domain';
import type { LedgerAttempt, LedgerRun, Ledgers, ReceivedSend } from '../ledgers.ts';
import type { Violation } from './violation.ts';

/** Codes of attempts that end before anything is sent. */
const NOTHING_SENT: readonly (string | null)[] = [
  'scheduled_cancelled',
  'channel_disabled',
  'recipient_suppressed',
  'expired',
  'template_render_failed',
];

/** The database rounds times to milliseconds, the receivers truncate them. */
const ROUNDING_MS = 1;

const isUnknown = ({ status }: LedgerAttempt) => status === 'unknown' || status === 'running';

/** Whether an attempt with a known outcome can have made the send. */
function made({ status, startedAt, completedAt }: LedgerAttempt, { answer, at }: ReceivedSend): boolean {
  if (status !== (answer === 'accepted' ? 'succeeded' : 'failed')) return false;
  return at >= startedAt - ROUNDING_MS && at <= (completedAt ?? startedAt) + ROUNDING_MS;
}

/** The tries of an attempt: one for each sender that it tried before, and one for the sender that decided it. */
function triesOf(attempt: LedgerAttempt): LedgerAttempt[] {
  const before = (attempt.tried ?? []).map(({ outcome }) => ({ ...attempt, status: outcome }));
  return [...before, attempt];
}

/**
 * The sends that no attempt explains; each attempt explains one send at most. An attempt with a known outcome explains a
 * send with that outcome while it was open: the receiver records a send before it answers, and the attempt ends after
 * the answer. An `unknown` attempt explains a send with any answer at any time after its start: data that a network or
 * a frozen process holds back may arrive after the attempt was given up, and even after the next one. Taking the sends
 * in the order of time, and known attempts first, explains as many as possible: known attempts do not overlap, and an
 * unknown one can as well explain a later send.
 */
function unexplained(attempts: readonly LedgerAttempt[], sends: readonly ReceivedSend[]): ReceivedSend[] {
  const sent = attempts.filter(({ errorCode }) => !NOTHING_SENT.includes(errorCode));
  const left = new Set(sent.flatMap(triesOf));
  return [...sends]
    .sort((a, b) => a.at - b.at)
    .filter((send) => {
      const candidates = [...left];
      const maker =
        candidates.find((attempt) => made(attempt, send)) ??
        candidates.find((attempt) => isUnknown(attempt) && send.at >= attempt.startedAt - ROUNDING_MS);
      if (maker) left.delete(maker);
      return !maker;
    });
}

/**
 * Each send belongs to its own attempt, so that every duplicate is attributed to an attempt that was open when a fault
 * struck.
 */
function* checkExplained(run: LedgerRun, sends: readonly ReceivedSend[]): Generator<Violation> {
  const accepted = sends.filter(({ answer }) => answer === 'accepted').length;
  const attempts = run.attempts.map(({ status, startedAt }) => `${status} from ${startedAt}`).join(', ');
  const seen = `${sends.length} sends, ${accepted} accepted; attempts: ${attempts || 'none'}`;
  for (const { answer, at } of unexplained(run.attempts, sends)) {
    const kind = answer === 'accepted' ? 'unexplained_duplicate' : 'send_without_attempt';
    yield { kind, subject: run.id, detail: `${answer} at ${at}; ${seen}` };
  }
  if (run.status === 'succeeded' && accepted === 0) {
    yield { kind: 'success_without_send', subject: run.id, detail: seen };
  }
  if (run.status === 'cancelled' && sends.length > 0) {
    yield { kind: 'send_after_cancel', subject: run.id, detail: seen };
  }
}

/**
 * Neither the claim (by the database's clock) nor the first send (by the receiver's) was before the scheduled time. In a
 * fault run, receivers and database are on one machine and share its clock.
 */
function* checkSchedule(run: LedgerRun, sends: readonly ReceivedSend[]): Generator<Violation> {
  if (run.scheduledAt === null) return;
  const taken = run.attempts.filter(({ errorCode }) => errorCode !== 'scheduled_cancelled');
  const first = Math.min(...taken.map(({ startedAt }) => startedAt), ...sends.map(({ at }) => at));
  if (first >= run.scheduledAt) return;
  yield {
    kind: 'scheduled_send_early',
    subject: run.id,
    detail: `${run.scheduledAt - first} ms before its time`,
  };
}

/** Compares what receivers got with the runs and attempts in the database. */
export function* checkSends({ receivers, database }: Ledgers): Generator<Violation> {
  const sends = groupBy(receivers, ({ runId }) => runId);
  const runs = new Map(database.runs.map((run) => [run.id, run]));
  const messages = new Set(database.messages.map(({ id }) => id));
  for (const [runId, received] of sends) {
    const run = runs.get(runId);
    if (run && messages.has(run.messageId)) continue;
    yield { kind: 'send_without_event', subject: runId, detail: `${received.length} sends` };
  }
  for (const run of database.runs) {
    yield* checkExplained(run, sends.get(run.id) ?? []);
    yield* checkSchedule(run, sends.get(run.id) ?? []);
  }
}

interface Expected {
  readonly reference: string;
  readonly variant: string;
  readonly recipient: string | undefined;
  readonly ids: readonly string[];
}

function* differences({ content }: ReceivedSend, expected: Expected): Generator<string> {
  for (const part of ['reference', 'variant', 'recipient'] as const) {
    if (content[part] === expected[part]) continue;
    yield `${part} is ${content[part] || 'missing'} instead of ${expected[part] ?? 'none'}`;
  }
  const others = content.ids.filter((id) => !expected.ids.includes(id));
  if (others.length > 0) yield `names ${others.map((id) => id || 'nothing').join(', ')}`;
}

/**
 * What a receiver got with the id of a run is what the client sent for that run's event, to its recipient. Another check
 * covers that the message is the client's event (`answer_of_another_body`).
 */
export function* checkContent({ client, receivers, database }: Ledgers): Generator<Violation> {
  const recipients = new Map(client.requests.map(({ reference, recipient }) => [reference, recipient]));
  const messages = new Map(database.messages.map((message) => [message.id, message]));
  const messageOf = new Map(database.runs.map(({ id, messageId }) => [id, messages.get(messageId)]));
  for (const send of receivers) {
    const message = messageOf.get(send.runId);
    if (!message || !recipients.has(message.reference)) continue;
    const { id, reference, variant } = message;
    const expected = { reference, variant, recipient: recipients.get(reference), ids: [id, send.runId] };
    const found = [...differences(send, expected)];
    if (found.length === 0) continue;
    yield { kind: 'send_of_another_event', subject: send.runId, detail: found.join('; ') };
  }
}
