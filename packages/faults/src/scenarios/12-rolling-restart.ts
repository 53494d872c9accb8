import { type Scenario, takeSlowly } from './scenario.ts';
import { underLoad } from './under-load.ts';

/** Every process is stopped in order and started again: no request fails, nothing is sent twice. */
export const rollingRestart: Scenario = {
  number: 12,
  name: 'rolling-restart',
  fault: 'rolling restart (SIGTERM) of every process under load',
  treat: (random) => ({ ...takeSlowly(random), answer: 'accepted' }),
  async run(context) {
    const { stack, driver, scale, outOfRotation, expect } = context;
    const events = await underLoad(context, async () => {
      for (let round = 0; round < scale; round += 1) {
        for (const api of stack.apis) {
          outOfRotation.add(api);
          await api.stop();
          await api.start();
          outOfRotation.delete(api);
        }
        for (const worker of stack.workers) {
          await worker.stop();
          await worker.start();
        }
      }
    });
    const failed = driver.ledger.requests.filter(({ answer }) => answer?.status !== 201).length;
    expect(failed === 0, `no request fails; ${failed} did`);
    return { events, rounds: scale, failed_requests: failed };
  },
  afterDrain({ expect }, { receivers, database }) {
    const extra = receivers.length - database.runs.length;
    expect(extra === 0, `nothing is sent twice; there were ${extra} sends too many`);
    return { extra_sends: extra };
  },
};
