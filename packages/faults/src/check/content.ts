import type { Ledgers, ReceivedSend } from '../ledgers.ts';
import type { Violation } from './violation.ts';

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
 * What a receiver got under the id of a run is what the client sent for that run's event, to its recipient.
 * That the message is the client's event is held against its answer elsewhere (`answer_of_another_body`).
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
