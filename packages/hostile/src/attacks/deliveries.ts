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

/** Makes the attacker's own channels deliver, and measures how late the other tenant's deliveries are meanwhile. */
export async function deliver(
  { target, amount }: AttackContext,
  { channels, templates, events }: Deliveries,
): Promise<Outcome & { readonly environmentId: string }> {
  const { db, victim } = target;
  const began = new Date();
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
  const lateMs = await lateness(target, victim.environmentId, began);
  const most = amount(END_DEADLINE_MS, 1_000);
  if (lateMs > most) {
    violations.push(`a delivery of the second tenant was ${lateMs} ms late, at most ${most}`);
  }
  return { environmentId, figures: { events: events.length, second_tenant_late_ms: lateMs }, violations };
}

/** The longest time from acceptance to delivery of an environment's runs since then, including open ones. */
async function lateness(
  { db }: AttackContext['target'],
  environmentId: string,
  since: Date,
): Promise<number> {
  const runs = await db.deliveryRun.findMany({
    where: { environmentId, createdAt: { gte: since } },
    select: { createdAt: true, completedAt: true },
  });
  const now = Date.now();
  return Math.max(0, ...runs.map((run) => (run.completedAt?.getTime() ?? now) - run.createdAt.getTime()));
}

/** An event as JSON text. */
export const eventOf = (eventKey: string, payload: object = {}) =>
  JSON.stringify({ event_key: eventKey, recipient: { email: 'ada@example.com' }, payload });
