import { setTimeout as pause } from 'node:timers/promises';
import { timeline } from './output/timeline.ts';
import type { Session } from './session.ts';

/** Often enough to look live, seldom enough for the rate limit of a small plan. */
const POLL_MS = 500;

/** Waits until every delivery run of a message is at its end. */
export async function waitUntilSettled(session: Session, messageId: string): Promise<void> {
  const { messages } = session.postrider();
  const { signal } = session.io;
  while ((await messages.get(messageId, session.call)).status === 'pending') {
    await pause(POLL_MS, undefined, { signal });
  }
}

/** Prints a message with all its runs and attempts: as a timeline, or the whole as one JSON document. */
export async function showMessage(session: Session, messageId: string): Promise<void> {
  const { messages } = session.postrider();
  const [message, deliveries] = await Promise.all([
    messages.get(messageId, session.call),
    messages.deliveries(messageId, session.call),
  ]);
  session.show({ ...message, delivery_runs: deliveries.delivery_runs }, (_, style) =>
    timeline(message, deliveries, style),
  );
}
