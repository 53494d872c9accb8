import { randomUUID } from 'node:crypto';
import { waitFor } from '@postrider/rig';
import { expect, it } from '@postrider/testing';
import { startHarness } from '../support/harness.ts';

it("a worker with its own role removes the limits of sign-ins that are full again, and the command line's that have expired", async () => {
  const harness = await startHarness();
  try {
    const { db } = harness;
    await db.$executeRaw`
      INSERT INTO sign_in_limits (key, full_at)
      VALUES (sha256('past'), now() - interval '1 minute'), (sha256('future'), now() + interval '1 hour')`;
    await db.$executeRaw`
      INSERT INTO device_logins (id, device_hash, user_hash, client, address, created_at, expires_at)
      VALUES (${randomUUID()}::uuid, sha256('device'), sha256('user'), 'test', '192.0.2.1', now(), now() - interval '1 minute')`;
    await harness.startWorker({ sweepPauses: { consoleSessions: 10 } });
    await waitFor('their removal', async () => (await db.deviceLogin.count()) === 0);
    expect(await db.signInLimit.count()).toBe(1);
  } finally {
    await harness.close();
  }
});
