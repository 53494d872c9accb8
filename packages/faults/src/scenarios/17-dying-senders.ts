import { setTimeout as wait } from 'node:timers/promises';
import type { LedgerAttempt, Ledgers } from '../ledgers.ts';
import { acceptSlowly, type Context, type Figures, type Scenario } from './scenario.ts';
import { underLoad, untilNextSend } from './steps.ts';

const ROUNDS = { short: 6, long: 60 };
/** Long enough for workers to notice that senders are down and to use the others. */
const DEAD_FOR_MS = 1_500;
/** A server that crashes, and one that falls silent. */
const DEATHS = ['reset', 'half_open'] as const;

const attemptsBy = ({ database }: Ledgers, channel: string): LedgerAttempt[] =>
  database.runs
    .flatMap(({ attempts }) => attempts)
    .filter(({ sender }) => sender?.startsWith(channel) === true);

const countTried = (attempts: readonly LedgerAttempt[], outcome: 'failed' | 'unknown') =>
  attempts.flatMap(({ tried = [] }) => tried).filter((one) => one.outcome === outcome).length;

function checkFigures({ expect }: Context, ledgers: Ledgers): Figures {
  const [safe, eager] = [attemptsBy(ledgers, 'safe'), attemptsBy(ledgers, 'eager')];
  const moved = countTried(safe, 'failed') + countTried(eager, 'failed');
  expect(countTried(safe, 'failed') > 0, 'safe failover uses the other sender');
  expect(countTried(eager, 'failed') > 0, 'eager failover uses the other sender');
  const unsafe = countTried(safe, 'unknown');
  expect(
    unsafe === 0,
    `safe failover uses no other sender after an unknown outcome; it did so ${unsafe} times`,
  );
  return {
    failovers: moved + countTried(eager, 'unknown'),
    failovers_after_unknown: countTried(eager, 'unknown'),
    unknown_attempts_safe: safe.filter(({ status }) => status === 'unknown').length,
  };
}

/**
 * The senders of two channels, one safe and one eager, fail and recover in turn. No mail is lost, and every duplicate
 * follows from an unknown outcome of an attempt or of a sender that it had tried.
 */
export const dyingSenders: Scenario = {
  number: 17,
  name: 'dying-senders',
  fault: 'senders of email channels die or fall silent in turn, and come back, under load',
  rounds: 'deaths',
  measured: ['failovers', 'failovers_after_unknown'],
  stack: { senders: true },
  treat: acceptSlowly,
  async run(context) {
    const { stack, amount } = context;
    const rounds = amount(ROUNDS.short, ROUNDS.long);
    await underLoad(context, async () => {
      for (let round = 0; round < rounds; round += 1) {
        await untilNextSend(context);
        const proxy = stack.senderProxies[round % stack.senderProxies.length];
        proxy?.set(DEATHS[Math.floor(round / 2) % DEATHS.length] ?? 'reset');
        await wait(DEAD_FOR_MS);
        proxy?.set(null);
      }
    });
    return { deaths: rounds };
  },
  afterDrain: checkFigures,
};
