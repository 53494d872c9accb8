import { startReceiver, status, waitFor } from '@postrider/rig';
import { describe, expect, filesThatRun, it } from '@postrider/testing';
import { webhookChannel } from './support/channels.ts';
import { startHarness, USUAL_SWEEPS } from './support/harness.ts';

/** From the job to the final row. Printed by `npm run complexity`. */
const MOST_FILES = 25;

/** What the test itself does, and the rounds of the poll and the quarantine, several times a second. */
const BESIDE_THE_DELIVERY =
  /\/(?:producer|breaker|poll|loop|quarantine|db\/src\/client|statements\/channels)\.ts$/;
/** On a slow machine sweeps run during each delivery. They are not part of it. */
const NO_SWEEPS = Object.fromEntries(Object.keys(USUAL_SWEEPS).map((sweep) => [sweep, 3_600_000]));

describe('a webhook', () => {
  it(`runs code of at most ${MOST_FILES} files from the job to the final row`, async () => {
    const [harness, receiver] = await Promise.all([startHarness(), startReceiver()]);
    try {
      await harness.startWorker({ sweepPauses: NO_SWEEPS });
      const url = receiver.endpoint('/fine', status(204));
      const fixture = await harness.fixture({ channels: [webhookChannel(url)] });
      const delivered = async () => harness.runIn(fixture, await harness.accept(fixture), ['succeeded']);
      for (let times = 0; times < 3; times += 1) await delivered();
      const ran = await filesThatRun(
        () => harness.accept(fixture, { enqueue: false }),
        async (event) => {
          await harness.producer.enqueue(event.wakeUps);
          const where = { id: event.runIds[0] ?? '', status: 'succeeded' };
          await waitFor('the final row', () => harness.db.deliveryRun.count({ where }).then(Boolean));
        },
      );
      const files = ran.filter((file) => !BESIDE_THE_DELIVERY.test(file));
      expect(files).toContain('packages/db/src/statements/finish.ts');
      expect(files.slice(MOST_FILES)).toEqual([]);
    } finally {
      await harness.close();
      await receiver.close();
    }
  });
});
