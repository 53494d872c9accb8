import { countExtraSends, countFailed } from './answers.ts';
import { acceptSlowly, type Scenario } from './scenario.ts';
import { restartApi, underLoad } from './steps.ts';

const ROUNDS = { short: 1, long: 10 };

/** Every process is stopped gracefully and restarted: no request fails, nothing is sent twice. */
export const rollingRestart: Scenario = {
  number: 12,
  name: 'rolling-restart',
  fault: 'rolling restart (SIGTERM) of every process under load',
  shortSeconds: 63,
  rounds: 'rounds',
  measured: ['failed_requests', 'extra_sends'],
  isExactlyOnce: true,
  treat: (random) => ({ ...acceptSlowly(random), answer: 'accepted' }),
  async run(context) {
    const { stack, driver, amount, expect } = context;
    const rounds = amount(ROUNDS.short, ROUNDS.long);
    const restartAll = async () => {
      for (let round = 0; round < rounds; round += 1) {
        for (const api of stack.apis) await restartApi(context, api);
        for (const worker of stack.workers) {
          await worker.stop();
          await worker.start();
        }
      }
    };
    await underLoad(context, restartAll, { isMixed: true });
    const failed = countFailed(driver.ledger);
    expect(failed === 0, `no request fails; ${failed} did`);
    return { rounds, failed_requests: failed };
  },
  afterDrain({ expect }, ledgers) {
    const extra = countExtraSends(ledgers);
    expect(extra === 0, `nothing is sent twice; there were ${extra} sends too many`);
    return { extra_sends: extra };
  },
};
