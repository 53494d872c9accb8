import type { Postrider } from '@postrider/client';
import { Unsuccessful } from './exit-codes.ts';
import { collect } from './io.ts';
import { timeline } from './output/timeline.ts';
import { poll } from './poll.ts';
import type { Session } from './session.ts';

/** Reads messages of the token's environment, or of any environment as an operator. */
export type MessageSource = Pick<Postrider['messages'], 'page' | 'all' | 'get' | 'runs'>;

/**
 * Waits until every run of a message has ended, and prints it like {@link showMessage}. It notes the id first: the wait can be
 * long, and be interrupted.
 * @throws Unsuccessful if it was not delivered to every channel
 */
export async function awaitMessage(session: Session, from: MessageSource, id: string): Promise<void> {
  session.note(`Waiting for ${id}. Ctrl-C only stops waiting.`);
  const { status } = await poll(
    session,
    () => from.get(id, session.call),
    (message) => message.status !== 'pending',
  );
  await showMessage(session, from, id);
  if (status !== 'delivered') throw new Unsuccessful(`The message is ${status.replace('_', ' ')}.`);
}

/** Prints a message with all its runs and attempts, as a timeline or as one JSON document. */
export async function showMessage(session: Session, from: MessageSource, id: string): Promise<void> {
  const [{ has_more_runs, ...message }, runs] = await Promise.all([
    from.get(id, session.call),
    collect(from.runs(id, session.call)),
  ]);
  session.show({ ...message, delivery_runs: runs }, (_, style) => timeline(message, runs, style));
}
