import { groupBy } from '@postrider/domain';
import type { Service } from '@postrider/local-stack/testing';
import { summarise } from '../check/summary.ts';
import type { ClientLedger, Ledgers } from '../ledgers.ts';
import { isCreated, isSettled } from './answers.ts';
import type { Scenario } from './scenario.ts';

type Processes = readonly Pick<Service, 'name' | 'ownExits' | 'uncleanStops'>[];

/** Counts the keys or references whose last answer is not as expected; the client repeats each one in turn. */
function countOtherwise<Entry>(
  entries: readonly Entry[],
  keyOf: (entry: Entry) => string,
  isDone: (last: Entry) => boolean,
): number {
  return [...groupBy(entries, keyOf).values()].filter((group) => !group.slice(-1).some(isDone)).length;
}

/** Every request of the client succeeded in the end, no matter how often it was repeated. */
function* refusals({ requests, replays, cancels }: ClientLedger): Generator<string> {
  const events = countOtherwise(requests, ({ reference }) => reference, isCreated);
  if (events > 0) yield `every event is answered 201 in the end; ${events} were not`;
  const replayed = countOtherwise(replays, ({ key }) => key, isCreated);
  if (replayed > 0) yield `every replay is answered 201 in the end; ${replayed} were not`;
  const cancelled = countOtherwise(cancels, ({ key }) => key, isSettled);
  if (cancelled > 0) yield `every cancel is done or comes too late in the end; ${cancelled} did neither`;
}

/** Every 503 tells the client when to retry. */
function* missingRetryAfters({ exchanges }: ClientLedger): Generator<string> {
  const without = exchanges.filter(({ status, retryAfterMs }) => status === 503 && !retryAfterMs).length;
  if (without > 0) yield `every 503 has a Retry-After; ${without} had none`;
}

/** No process ended by itself, unless it may, and each that was asked to stop did so gracefully. */
function* exits({ mayExit }: Pick<Scenario, 'mayExit'>, processes: Processes): Generator<string> {
  for (const { name, ownExits, uncleanStops } of processes) {
    if (ownExits() > 0 && !mayExit) yield `no process ends unasked; ${name} did ${ownExits()} times`;
    if (uncleanStops() > 0)
      yield `what is stopped in order ends with 0; ${name} did not ${uncleanStops()} times`;
  }
}

function* deliveries(
  scenario: Pick<Scenario, 'mayFail' | 'isExactlyOnce'>,
  ledgers: Ledgers,
): Generator<string> {
  const { runs, duplicates, unknownAttempts } = summarise(ledgers);
  if (!scenario.mayFail && runs.failed) yield `no run fails; ${runs.failed} did`;
  if (!scenario.isExactlyOnce) return;
  if (duplicates > 0) yield `nothing is sent twice; there were ${duplicates} duplicates`;
  if (unknownAttempts > 0) yield `every attempt's outcome is known; that of ${unknownAttempts} was not`;
}

/**
 * Checks what every scenario must satisfy in addition to its ledgers, unless it declares an exception. Returns the
 * expectations that are not met.
 */
export function unmetBy(
  scenario: Pick<Scenario, 'mayFail' | 'mayRefuse' | 'mayExit' | 'isExactlyOnce'>,
  ledgers: Ledgers,
  processes: Processes,
): string[] {
  return [
    ...(scenario.mayRefuse ? [] : refusals(ledgers.client)),
    ...missingRetryAfters(ledgers.client),
    ...deliveries(scenario, ledgers),
    ...exits(scenario, processes),
  ];
}
