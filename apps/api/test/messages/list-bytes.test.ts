import { formatId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { MESSAGE_FIELDS } from '../../src/messages/message.ts';
import { OPERATIONS } from '../../src/resources.ts';
import { anEvent } from '../support/api.ts';
import { useApi } from '../support/database.ts';

const MiB = 1_024 * 1_024;
const LARGE = { text: 'x'.repeat(250_000) };
const MANY = 20;

const world = useApi();

async function environmentWith(payloads: readonly unknown[]) {
  const made = await world.environment();
  const ids: string[] = [];
  for (const payload of payloads) {
    ids.push((await world.api().postEvent(made.token, anEvent({ payload }))).body.message_id);
  }
  return { ...made, ids: ids.reverse() };
}

const idsOf = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id);

describe('a list of large messages', () => {
  it('ends its pages below 2 MiB, and returns each message once', async () => {
    const { token, environmentId, ids } = await environmentWith(Array<unknown>(MANY).fill(LARGE));
    const lists = [
      (query: string) => world.api().get(`/api/v1/messages?${query}`, token),
      (query: string) =>
        world
          .api()
          .admin('get', `/admin/v1/environments/${formatId('env', environmentId)}/messages?${query}`),
    ];
    for (const list of lists) {
      const seen: string[] = [];
      for (let cursor = ''; ; ) {
        const { body, text } = await list(`limit=100${cursor}`).expect(200);
        expect(text.length).toBeLessThan(2 * MiB);
        expect(body.data.length).toBeGreaterThan(0);
        expect(body.has_more).toBe(body.next_cursor !== null);
        seen.push(...idsOf(body));
        if (!body.has_more) break;
        cursor = `&cursor=${body.next_cursor}`;
      }
      expect(seen).toEqual(ids);
    }
  });

  it('has full pages if its messages are small or payloads are left out', async () => {
    const { token, ids } = await environmentWith([...Array<unknown>(MANY).fill(LARGE), {}, {}]);
    const { body: small } = await world.api().get('/api/v1/messages?limit=2', token).expect(200);
    expect(idsOf(small)).toEqual(ids.slice(0, 2));
    const { body } = await world
      .api()
      .get('/api/v1/messages?limit=100&fields=id,created_at', token)
      .expect(200);
    expect(idsOf(body)).toEqual(ids);
    expect(body.has_more).toBe(false);
    expect(Object.keys(body.data[0])).toEqual(['id', 'created_at']);
  });
});

describe('the fields of a list', () => {
  it('are the requested ones, each as in the whole message', async () => {
    const { token } = await environmentWith([{ order_id: 'A-1' }]);
    const { body } = await world.api().get('/api/v1/messages', token).expect(200);
    const [whole] = body.data;
    expect(Object.keys(whole)).toEqual([...MESSAGE_FIELDS]);
    for (const field of MESSAGE_FIELDS) {
      const page = await world.api().get(`/api/v1/messages?fields=${field}`, token).expect(200);
      expect(page.body.data).toEqual([{ [field]: whole[field] }]);
    }
  });

  it.each(['', 'x', 'id,', ',id', 'id, status', 'payload.order_id', '__proto__', 'id,constructor'])(
    'are refused with 422: %j',
    async (fields) => {
      const { token } = await world.environment();
      const query = new URLSearchParams({ fields });
      const { body } = await world.api().get(`/api/v1/messages?${query}`, token).expect(422);
      expect(body.error.details).toMatchObject([{ path: '/fields', code: 'invalid_value' }]);
    },
  );

  it('are a parameter of both lists of messages', () => {
    const withFields = OPERATIONS.filter(({ parameters }) =>
      parameters.some(({ name }) => name === 'fields'),
    );
    expect(withFields.map(({ operationId }) => operationId)).toEqual(['listMessages', 'searchMessages']);
  });
});
