import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createUuidV7Source, formatId } from '@postrider/domain';
import { disableChannel } from '../src/index.ts';
import { createFixture, createTestDatabase, type TestDatabase } from '../src/testing/index.ts';
import { WEBHOOK } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('disabling a channel whose endpoint is gone', () => {
  it('happens once and is written down as the worker’s doing, however many attempts ask for it', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const channelId = fixture.channels[0]?.id ?? '';
    const deps = { db: database.db, newId: createUuidV7Source() };
    await Promise.all(
      Array.from({ length: 5 }, () => disableChannel(deps, { channelId, reason: 'HTTP 410' })),
    );
    const row = await database.db.channel.findUniqueOrThrow({ where: { id: channelId } });
    expect(row).toMatchObject({ enabled: false, disabledReason: 'HTTP 410', revision: 2 });
    const entries = await database.db.auditEntry.findMany({ where: { action: 'channel.disabled' } });
    expect(entries).toMatchObject([
      {
        actor: 'worker',
        resourceId: formatId('chn', channelId),
        tenantId: fixture.tenantId,
        before: { enabled: true, disabled_reason: null },
        after: { enabled: false, disabled_reason: 'HTTP 410' },
      },
    ]);
  });

  it('leaves a deleted channel and one that is disabled already as they are', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK, { ...WEBHOOK, enabled: false }] });
    const [deleted = '', disabled = ''] = fixture.channels.map(({ id }) => id);
    await database.db.channel.update({ where: { id: deleted }, data: { deletedAt: new Date() } });
    const deps = { db: database.db, newId: createUuidV7Source() };
    for (const channelId of [deleted, disabled])
      await disableChannel(deps, { channelId, reason: 'HTTP 410' });
    const rows = await database.db.channel.findMany({ where: { id: { in: [deleted, disabled] } } });
    expect(rows).toMatchObject([{ disabledReason: null }, { disabledReason: null }]);
  });
});
