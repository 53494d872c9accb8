import { randomBytes } from 'node:crypto';
import { createFixture } from '@postrider/db/testing';
import { createSecretBox, formatId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { useApi, WEBHOOK } from '../support/database.ts';

const newKey = (id: string) => ({ id, key: randomBytes(32) });
const [lost, older, newer] = [newKey('lost'), newKey('older'), newKey('newer')];
const world = useApi({ secretBox: createSecretBox([newer, older]) });

const PATH = '/admin/v1/secrets';
const reencrypt = (body?: unknown) => world.api().admin('post', `${PATH}/reencrypt`, body);
const channelsUnder = async (key: typeof lost, count: number) =>
  (await createFixture(world.db(), { channels: Array(count).fill(WEBHOOK) }, createSecretBox([key])))
    .channels;

describe('the keys of stored secrets', () => {
  it('are shown with their secrets, which are re-encrypted with the current one in limited steps', async () => {
    await channelsUnder(older, 3);
    const [unreadable] = await channelsUnder(lost, 1);
    const missing = {
      key_id: 'lost',
      status: 'missing',
      secrets: 1,
      channels: [formatId('chn', unreadable?.id ?? '')],
    };
    const keys = (current: number, outdated: number) => [
      { key_id: 'newer', status: 'current', secrets: current, channels: [] },
      { key_id: 'older', status: 'older', secrets: outdated, channels: [] },
      missing,
    ];
    expect((await world.api().admin('get', PATH).expect(200)).body).toEqual({ keys: keys(0, 3) });
    const first = await reencrypt({ limit: 2 }).expect(200);
    expect(first.body).toEqual({ reencrypted: 2, has_more: true, keys: keys(2, 1) });
    const second = await reencrypt().expect(200);
    expect(second.body).toEqual({ reencrypted: 1, has_more: false, keys: keys(3, 0) });
    const entries = await world.db().auditEntry.findMany({ where: { action: 'secrets.reencrypted' } });
    expect(entries).toMatchObject([
      { actor: 'admin', after: { key_id: 'newer', secrets: 2 } },
      { actor: 'admin', after: { key_id: 'newer', secrets: 1 } },
    ]);
  });

  it.each([[{ limit: 0 }], [{ limit: 5_001 }], [{ limit: 'all' }], [{ key: 'newer' }]])(
    'answers 422 for %j',
    async (body) => {
      await reencrypt(body).expect(422);
    },
  );
});
