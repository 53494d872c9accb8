import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppRole } from '@postrider/db';
import { createTestDatabase, singleRedisServerUrl } from '@postrider/db/testing';
import { createCleanup } from '@postrider/local-stack';
import { expect, it } from '@postrider/testing';
import { type Helper, startHelper } from '../src/helper.ts';
import type { Handlers } from '../src/helper-process.ts';
import type { LoadGenerator } from '../src/load/loops.ts';
import { deliverEvents } from '../src/measures/loads.ts';
import type { Receivers } from '../src/receivers.ts';
import { openInstallation } from '../src/stack/installation.ts';

const EVENTS = 40;
/** A Redis database (of 16) that no other test uses. */
const REDIS_DATABASE = 11;

it('accounts for every event from the load generator to the receivers, by webhook and email', async () => {
  const cleanup = createCleanup();
  const keep = async <Known extends Handlers>(starting: Promise<Helper<Known>>) =>
    cleanup.keep(await starting, (helper) => helper.close());
  try {
    const database = await createTestDatabase();
    cleanup.add(database.drop);
    const directory = await mkdtemp(join(tmpdir(), 'postrider-bench-test-'));
    cleanup.add(() => rm(directory, { recursive: true }));
    const receivers = await keep(startHelper<Receivers>('receivers'));
    const bench = {
      databases: {
        create: async () => database.url,
        drop: async () => undefined,
        restrict: (_url: string, role: AppRole) => database.urlFor(role),
      },
      load: await keep(startHelper<LoadGenerator>('load/loops')),
      receivers,
      addresses: await receivers.ask('addresses', null),
      key: randomBytes(32),
      directory,
      takeRedisUrl: () => `${singleRedisServerUrl()}/${REDIS_DATABASE}`,
      takeReferences: () => 1,
    };
    const installation = await openInstallation(bench, { tenants: 2, email: true, restricted: true });
    cleanup.add(installation.close);
    for (const kind of ['webhook', 'email'] as const) {
      const { problems, arrivals } = await deliverEvents(bench, installation, { events: EVENTS, kind });
      expect({ kind, problems, ...arrivals }).toMatchObject({
        kind,
        problems: [],
        distinct: EVENTS,
        foreign: 0,
      });
    }
  } finally {
    await cleanup.run();
  }
}, 180_000);
