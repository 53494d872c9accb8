import { formatId } from '@postrider/domain';
import { startReceiver, status, waitFor } from '@postrider/rig';
import { describe, expect, filesThatRun, followData, importObserved, it } from '@postrider/testing';
import { webhookChannel } from './support/channels.ts';
import type * as Support from './support/harness.ts';

const { startHarness, USUAL_SWEEPS } = await importObserved<typeof Support>(
  new URL('./support/harness.ts', import.meta.url),
);

/** From the job to the final row. Printed by `npm run complexity`. */
const MOST_FILES = 25;
/** The most shapes that carry the run, see `followData`. Also printed. */
const MOST_SHAPES = 20;

/** What the test itself does, and the rounds of the poll and the quarantine, several times a second. */
const BESIDE_THE_DELIVERY =
  /\/(?:producer|breaker|poll|loop|quarantine|db\/src\/client|statements\/channels)\.ts$/;
/** Its texts, and that of the response, identify the data of the run. */
const EVENT = {
  eventKey: 'path.of_webhook',
  recipient: { email: 'path@example.com' },
  payload: { id: 'A-1001' },
};
const RESPONSE = 'taken by the endpoint';
/** On a slow machine sweeps run during each delivery. They are not part of it. */
const NO_SWEEPS = Object.fromEntries(Object.keys(USUAL_SWEEPS).map((sweep) => [sweep, 3_600_000]));

describe('a webhook', () => {
  it(`runs code of at most ${MOST_FILES} files and has at most ${MOST_SHAPES} shapes from the job to the final row`, async () => {
    const [harness, receiver] = await Promise.all([startHarness(), startReceiver()]);
    try {
      await harness.startWorker({ sweepPauses: NO_SWEEPS });
      const url = receiver.endpoint('/fine', status(200, {}, RESPONSE));
      const fixture = await harness.fixture({ channels: [webhookChannel(url)] });
      const delivered = async () => harness.runIn(fixture, await harness.accept(fixture), ['succeeded']);
      for (let times = 0; times < 3; times += 1) await delivered();
      const acceptOnly = () => harness.accept(fixture, { ...EVENT, enqueue: false });
      async function deliver({ runIds: [id = ''], wakeUps }: Awaited<ReturnType<typeof acceptOnly>>) {
        await harness.producer.enqueue(wakeUps);
        const where = { id, status: 'succeeded' };
        await waitFor('the final row', () => harness.db.deliveryRun.count({ where }).then(Boolean));
      }
      const ran = await filesThatRun(acceptOnly, deliver);
      const files = ran.filter((file) => !BESIDE_THE_DELIVERY.test(file));
      expect(files).toContain('packages/db/src/statements/finish.ts');
      expect(files.slice(MOST_FILES)).toEqual([]);

      const event = await acceptOnly();
      const { shapes } = await followData(async () => {
        await deliver(event);
        const [run = ''] = event.runIds;
        const ids = [event.messageId, formatId('msg', event.messageId), run, formatId('run', run)];
        return [...ids, EVENT.eventKey, EVENT.recipient.email, EVENT.payload.id, RESPONSE];
      });
      expect(shapes.length > MOST_SHAPES ? shapes : []).toEqual([]);
    } finally {
      await harness.close();
      await receiver.close();
    }
  });
});
