import type { Ledgers } from '../ledgers.ts';
import { checkAcceptance } from './acceptance.ts';
import { checkIdempotency } from './idempotency.ts';
import { checkOrder } from './order.ts';
import { checkCancels, checkReplays } from './replays-and-cancels.ts';
import { checkRuns } from './runs.ts';
import { checkContent, checkSends } from './sends.ts';
import type { Violation } from './violation.ts';

/** Every event counts 1, every replay of it counts 1, and nothing is refunded. */
function* checkUsage({ database }: Ledgers): Generator<Violation> {
  const { messages, usage } = database;
  const accepted = new Map<string, number>();
  for (const { environmentId, replayCount } of messages) {
    accepted.set(environmentId, (accepted.get(environmentId) ?? 0) + 1 + replayCount);
  }
  const known = new Set(usage.environments.map(({ environmentId }) => environmentId));
  for (const [environmentId, count] of accepted) {
    if (known.has(environmentId)) continue;
    yield { kind: 'usage_differs', subject: environmentId, detail: `0 counted, ${count} accepted` };
  }
  for (const { environmentId, used } of usage.environments) {
    const count = accepted.get(environmentId) ?? 0;
    if (used !== count) {
      yield { kind: 'usage_differs', subject: environmentId, detail: `${used} counted, ${count} accepted` };
    }
  }
  for (const { tenantId, used, limit } of usage.tenants) {
    const count = usage.environments
      .filter((environment) => environment.tenantId === tenantId)
      .reduce((sum, { environmentId }) => sum + (accepted.get(environmentId) ?? 0), 0);
    if (used !== count) {
      yield { kind: 'usage_differs', subject: tenantId, detail: `${used} counted, ${count} accepted` };
    }
    if (limit !== null && count > limit) {
      yield { kind: 'quota_overrun', subject: tenantId, detail: `${count} accepted of ${limit}` };
    }
  }
}

const CHECKS = [
  checkAcceptance,
  checkReplays,
  checkCancels,
  checkIdempotency,
  checkSends,
  checkContent,
  checkRuns,
  checkOrder,
  checkUsage,
];

/**
 * Compares the three ledgers of a drained service and returns everything that contradicts its promise; empty if nothing
 * does. A pure function.
 */
export function checkLedgers(ledgers: Ledgers): Violation[] {
  return CHECKS.flatMap((check) => [...check(ledgers)]);
}
