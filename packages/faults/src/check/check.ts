import type { Ledgers } from '../ledgers.ts';
import { checkAcceptance } from './acceptance.ts';
import { checkRuns } from './runs.ts';
import { checkSends } from './sends.ts';
import { checkUsage } from './usage.ts';
import type { Violation } from './violation.ts';

/**
 * Compares the three ledgers of a service that has drained and returns everything that contradicts its promise; empty when
 * nothing does. Pure: it asks no one.
 */
export function checkLedgers(ledgers: Ledgers): Violation[] {
  return [...checkAcceptance(ledgers), ...checkSends(ledgers), ...checkRuns(ledgers), ...checkUsage(ledgers)];
}
