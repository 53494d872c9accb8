import { randomUUID } from 'node:crypto';
import { storeToken } from '@postrider/db';
import { createToken } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { anEvent } from '../support/api.ts';
import { useApi } from '../support/database.ts';

const { api, db, environment } = useApi();

/** A token of a new environment with these stored scopes. */
async function tokenWith(scopes: readonly string[]): Promise<string> {
  const { environmentId } = await environment();
  const token = createToken('production');
  await storeToken({ db: db(), newId: randomUUID }, { environmentId, name: 'scoped', token });
  await db().token.updateMany({ where: { environmentId, name: 'scoped' }, data: { scopes: [...scopes] } });
  return token;
}

describe('the scopes of a token', () => {
  it('allow what they name, and refuse the rest with the name of the missing one', async () => {
    const token = await tokenWith(['usage:read']);
    await api().get('/api/v1/usage/current', token).expect(200);
    const refused = await api().postEvent(token, anEvent()).expect(403);
    expect(refused.body.error).toMatchObject({
      code: 'forbidden',
      message: 'This requires the scope events:write.',
    });
    expect(refused.headers['www-authenticate']).toBe(
      'Bearer error="insufficient_scope", scope="events:write"',
    );
    await api().get('/api/v1/messages', token).expect(403);
  });

  it('include the read of their area', async () => {
    const token = await tokenWith(['messages:content']);
    await api().get('/api/v1/messages', token).expect(200);
    await api().postEvent(token, anEvent()).expect(403);
  });

  it.each([[[]], [['ignore_suppression']]])(
    'are those of older tokens if none is stored: %j',
    async (stored) => {
      const token = await tokenWith(stored);
      const sent = await api().postEvent(token, anEvent()).expect(201);
      await api().get(`/api/v1/messages/${sent.body.message_id}`, token).expect(200);
      await api().post(`/api/v1/messages/${sent.body.message_id}/replay`, token).expect(201);
      await api().get('/api/v1/limits', token).expect(200);
    },
  );

  it('are checked before the body is read', async () => {
    const token = await tokenWith(['messages:read']);
    await api().postEvent(token, 'not json').expect(403);
  });
});
