import { channelKinds } from '@postrider/channels';
import { actorNamed } from '@postrider/db/testing';
import { createUuidV7Source } from '@postrider/domain';
import { startMailServer, startReceiver, waitFor } from '@postrider/rig';
import { startHarness } from './harness.ts';

export const HOUR = 3_600_000;

/** Starts a receiver and two workers that report operational events to it. Each event is still sent once. */
export async function startReporting(
  fastSweeps: NonNullable<NonNullable<Parameters<typeof startHarness>[0]>['fastSweeps']>,
) {
  const [harness, receiver, mail] = await Promise.all([
    startHarness({ fastSweeps: ['health', 'operationalEvents', ...fastSweeps] }),
    startReceiver(),
    startMailServer(),
  ]);
  const { db } = harness;
  const newId = createUuidV7Source();
  const actor = actorNamed('test');
  await harness.startWorker();
  await harness.startWorker();
  return {
    harness,
    receiver,
    mail,
    deps: () => ({ db, newId, actor, secretBox: harness.secretBox, kinds: channelKinds }),
    /** Waits until all events, or those of an environment, are sent, and the runs of their messages have ended. */
    settled({ environmentId }: { readonly environmentId?: string } = {}) {
      const where = environmentId === undefined ? {} : { environmentId };
      return waitFor('all events to be sent', async () => {
        const waiting = await db.operationalEvent.count({ where: { ...where, dispatchedAt: null } });
        const open = await db.deliveryRun.count({
          where: { ...where, completedAt: null, message: { operational: true } },
        });
        return waiting === 0 && open === 0;
      });
    },
    async close() {
      await harness.close();
      await receiver.close();
      await mail.close();
    },
  };
}

export type Reporting = Awaited<ReturnType<typeof startReporting>>;
