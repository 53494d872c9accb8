import type { Ledgers } from '../ledgers.ts';
import { checkAcceptance } from './acceptance.ts';
import { checkIdempotency } from './idempotency.ts';
import { checkCancels, checkReplays } from './replays-and-cancels.ts';
import { checkRuns } from './runs.ts';
import { checkContent, checkSends } from './sends.ts';
import { checkUsage } from './usage.ts';
import type { Violation } from './violation.ts';

const CHECKS = [
  checkAcceptance,
  checkReplays,
  checkCancels,
  checkIdempotency,
  checkSends,
  checkContent,
  checkRuns,
  checkUsage,
];

/**
 * Compares the three ledgers of a service that has drained and returns everything that contradicts its
 * promise; empty when nothing does. It is a pure function.
 */
export function checkLedgers(ledgers: Ledgers): Violation[] {
  return CHECKS.flatMap((check) => [...check(ledgers)]);
}
