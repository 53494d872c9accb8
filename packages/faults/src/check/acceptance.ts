import { groupBy } from '@postrider/domain';
import type { ClientRequest, Ledgers } from '../ledgers.ts';
import type { Violation } from './violation.ts';

const CREATED = 201;

/** The 201s that clients received. */
function acknowledgements({
  client,
}: Ledgers): { request: ClientRequest; messageId: string; runIds: readonly string[] }[] {
  return client.requests.flatMap((request) => {
    const { answer } = request;
    if (answer?.status !== CREATED || answer.messageId === null) return [];
    return [{ request, messageId: answer.messageId, runIds: answer.runIds }];
  });
}

/** Every event has a run for each channel that takes it, and every 201 for it, replayed answers included, named all of them. */
function* checkRunsOfEvents(ledgers: Ledgers): Generator<Violation> {
  const made = groupBy(
    ledgers.database.runs.filter(({ replay }) => replay === 0),
    ({ messageId }) => messageId,
  );
  for (const { id, channelCount } of ledgers.database.messages) {
    const count = made.get(id)?.length ?? 0;
    if (count >= channelCount) continue;
    yield { kind: 'run_missing', subject: id, detail: `${count} runs for ${channelCount} channels` };
  }
  for (const { messageId, runIds } of acknowledgements(ledgers)) {
    for (const { id } of made.get(messageId) ?? []) {
      if (runIds.includes(id)) continue;
      const detail = `is a run of ${messageId}, whose 201 named ${runIds.join(', ') || 'none'}`;
      yield { kind: 'run_not_acknowledged', subject: id, detail };
    }
  }
}

/** Everything acknowledged is stored: the message and its runs, made from the body that was sent. */
function* checkAcknowledged(ledgers: Ledgers): Generator<Violation> {
  const messages = new Map(ledgers.database.messages.map((message) => [message.id, message]));
  const runs = new Map(ledgers.database.runs.map((run) => [run.id, run]));
  for (const { request, messageId, runIds } of acknowledgements(ledgers)) {
    const message = messages.get(messageId);
    if (!message) {
      yield {
        kind: 'acknowledged_event_lost',
        subject: request.reference,
        detail: `no message ${messageId}`,
      };
      continue;
    }
    if (message.reference !== request.reference || message.variant !== request.variant) {
      const detail = `sent ${request.reference}/${request.variant}, got ${message.reference}/${message.variant}`;
      yield { kind: 'answer_of_another_body', subject: messageId, detail };
    }
    for (const runId of runIds) {
      if (runs.get(runId)?.messageId === messageId) continue;
      yield { kind: 'acknowledged_run_lost', subject: runId, detail: `is not a run of ${messageId}` };
    }
    if (runIds.length === 0) {
      yield { kind: 'acknowledged_run_lost', subject: messageId, detail: 'the 201 named no run' };
    }
  }
}

/** Every message was requested, and one event of the client is one message. */
function* checkMessages(ledgers: Ledgers): Generator<Violation> {
  const sent = new Set(ledgers.client.requests.map((request) => request.reference));
  const acknowledged = groupBy(acknowledgements(ledgers), ({ request }) => request.reference);
  for (const [reference, messages] of groupBy(ledgers.database.messages, (message) => message.reference)) {
    if (!sent.has(reference)) {
      yield { kind: 'phantom_event', subject: reference, detail: `message ${messages[0]?.id}` };
    }
    if (messages.length > 1) {
      const detail = `messages ${messages.map(({ id }) => id).join(', ')}`;
      yield { kind: 'event_accepted_twice', subject: reference, detail };
    }
  }
  for (const [reference, answers] of acknowledged) {
    const ids = new Set(answers.map(({ messageId }) => messageId));
    if (ids.size < 2) continue;
    yield { kind: 'event_accepted_twice', subject: reference, detail: `answered ${[...ids].join(', ')}` };
  }
}

/** Compares the acknowledged events with the database. */
export function* checkAcceptance(ledgers: Ledgers): Generator<Violation> {
  yield* checkAcknowledged(ledgers);
  yield* checkRunsOfEvents(ledgers);
  yield* checkMessages(ledgers);
}
