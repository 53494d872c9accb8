import { setTimeout as wait } from 'node:timers/promises';
import type { FixtureInput } from '@postrider/db/testing';
import type { AttackContext, Outcome } from '../attack.ts';
import { isFitting, postEvent } from '../target/post-event.ts';

/** A run has one attempt of a second. A run that takes longer than this is stuck. */
const END_DEADLINE_MS = 60_000;
const POLL_MS = 200;

export interface Deliveries extends Pick<FixtureInput, 'channels' | 'templates'> {
  /** The events to send, as JSON text. */
  readonly events: readonly string[];
}

/** Makes the attacker's own channels deliver, and waits until all runs have ended. */
export async function deliver(
  { target }: AttackContext,
  { channels, templates, events }: Deliveries,
): Promise<Outcome & { readonly environmentId: string }> {
  const { db } = target;
  const { environmentId, token } = await target.addEnvironment({
    ...(channels && { channels }),
    ...(templates && { templates }),
  });
  const violations: string[] = [];
  for (const event of events) {
    const { status, text } = await postEvent(target, token, event);
    if (!isFitting(status)) violations.push(`an event was answered ${status}: ${text.slice(0, 200)}`);
  }
  const openRuns = () =>
    db.deliveryRun.count({
      where: { environmentId, status: { notIn: ['succeeded', 'failed', 'cancelled'] } },
    });
  const giveUpAt = performance.now() + END_DEADLINE_MS;
  const isRunning = () => !target.worker.hasEnded() && performance.now() < giveUpAt;
  while ((await openRuns()) > 0 && isRunning()) await wait(POLL_MS);
  const stuck = await openRuns();
  if (stuck > 0) violations.push(`${stuck} of the attacker's runs have not ended`);
  return { environmentId, figures: { events: events.length }, violations };
}

/** An event as JSON text. */
export const eventOf = (eventKey: string, payload: object = {}) =>
  JSON.stringify({ event_key: eventKey, recipient: { email: 'ada@example.com' }, payload });
