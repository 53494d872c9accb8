import { createHash, randomUUID } from 'node:crypto';
import { storeToken } from '@postrider/db';
import { createToken, formatId, withReads } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import { maskText, withoutContent } from '../src/access/content.ts';
import { anEvent } from './support/api.ts';
import { useApi } from './support/database.ts';

const { api, db, environment } = useApi();

async function viewer(): Promise<string> {
  const body = { name: 'viewer', role: 'viewer' };
  return (await api().admin('post', '/admin/v1/operator-tokens', body).expect(201)).body.token;
}

const EVENT = anEvent({
  ordering_key: 'ada-1815',
  recipient: {
    email: 'ada@mail.example.com',
    name: 'Ada Lovelace',
    account: 471_108_154_711,
    'ada@work.example': true,
  },
  payload: { card: 'secret-4711' },
});

describe('without messages:content', () => {
  it('an operator sees recipients masked and no content, wherever a message is shown', async () => {
    const { environmentId, token } = await environment();
    const sent = (await api().postEvent(token, EVENT).expect(201)).body;
    const path = `/admin/v1/environments/${formatId('env', environmentId)}`;
    const suppressed = { email: 'ada@mail.example.com', reason: 'asked by ada@mail.example.com' };
    await api().admin('post', `${path}/suppressions`, suppressed).expect(201);
    const masked = await viewer();
    for (const shown of [
      `${path}/messages`,
      `${path}/messages/${sent.message_id}?explain=channels`,
      `${path}/messages/${sent.message_id}/deliveries`,
      `${path}/suppressions`,
      `/admin/v1/lookup?q=${sent.message_id}`,
    ]) {
      const { status, text } = await supertest(api().url).get(shown).set('Authorization', `Bearer ${masked}`);
      expect(status).toBe(200);
      expect(text).not.toMatch(/ada[@-]|Lovelace|mail\.example|secret-4711|471108/);
    }
    const message = await supertest(api().url)
      .get(`${path}/messages/${sent.message_id}`)
      .set('Authorization', `Bearer ${masked}`);
    expect(message.body.recipient).toEqual({ email: 'a•••@m•••.com', name: 'A••• L•••' });
    expect(message.body).toMatchObject({ ordering_key: 'a•••', payload: {} });
  });

  it('a search by an address is refused, because its results would confirm a guess', async () => {
    const { environmentId } = await environment();
    const path = `/admin/v1/environments/${formatId('env', environmentId)}`;
    const scopes = ['messages:read', 'replays:write', 'suppressions:read'];
    await api().admin('post', '/admin/v1/roles', { code: 'replayer', name: 'Replayer', scopes }).expect(201);
    const issued = { name: 'replayer', role: 'replayer' };
    const { token } = (await api().admin('post', '/admin/v1/operator-tokens', issued).expect(201)).body;
    const address = 'ada@mail.example.com';
    const replay = { filter: { recipient_email: address }, dry_run: true };
    for (const response of [
      await api().get(`${path}/messages?recipient_email=${address}`, token),
      await api().get(`/admin/v1/lookup?q=${address}`, token),
      await api().get(`${path}/suppressions?email=${address}`, token),
      await supertest(api().url).post(`${path}/replays`).set('Authorization', `Bearer ${token}`).send(replay),
    ]) {
      expect(response.status).toBe(403);
      expect(response.body.error.message).toBe('This requires the scope messages:content.');
      expect(response.headers['www-authenticate']).toContain('scope="messages:content"');
    }
    for (const shown of [`${path}/messages`, '/admin/v1/lookup?q=req-1', `${path}/suppressions`])
      await api().get(shown, token).expect(200);
  });

  it('the config of a channel is shown, which its owner sends back, and addresses in its errors are not', () => {
    const channel = {
      config: { from: { email: 'shop@example.com' } },
      senders: [{ name: 'first', reason: '550 <ada@mail.example.com> is unknown' }],
    };
    const reply = { status: 200, body: Buffer.from(JSON.stringify(channel)) };
    const shown = withoutContent({ scopes: new Set(['channels:read']) }, 'channels:read', reply);
    expect('body' in shown && JSON.parse(Buffer.from(shown.body).toString())).toEqual({
      config: channel.config,
      senders: [{ name: 'first', reason: '550 <a•••@m•••.com> is unknown' }],
    });
  });

  it.each([
    [['channels:read'], null],
    [
      ['channels:read', 'messages:read'],
      { message_id: 'msg_1', error_message: '550 <a•••@m•••.com> is unknown' },
    ],
    [
      ['channels:read', 'messages:content'],
      { message_id: 'msg_1', error_message: '550 <ada@mail.example.com> is unknown' },
    ],
  ])('a caller with %j sees of the last reply of a channel: %j', async (scopes, seen) => {
    const lastReply = { message_id: 'msg_1', error_message: '550 <ada@mail.example.com> is unknown' };
    const page = { data: [{ state: { code: 'failing', last_reply: lastReply } }] };
    const reply = { status: 200, body: Buffer.from(JSON.stringify(page)) };
    const shown = withoutContent({ scopes: withReads(scopes) }, 'channels:read', reply);
    expect('body' in shown && JSON.parse(Buffer.from(shown.body).toString())).toEqual({
      data: [{ state: { code: 'failing', last_reply: seen } }],
    });
  });

  it('neither does the token of an environment, and with it both see everything', async () => {
    const { environmentId, token } = await environment();
    const sent = (await api().postEvent(token, EVENT).expect(201)).body;
    const reader = createToken('production');
    await storeToken({ db: db(), newId: randomUUID }, { environmentId, name: 'reader', token: reader });
    await db().token.updateMany({
      where: { environmentId, name: 'reader' },
      data: { scopes: ['messages:read'] },
    });
    const masked = await api().get(`/api/v1/messages/${sent.message_id}`, reader).expect(200);
    expect(masked.body).toMatchObject({ recipient: { email: 'a•••@m•••.com' }, payload: {} });
    const all = await api().get(`/api/v1/messages/${sent.message_id}`, token).expect(200);
    expect(all.body).toMatchObject({ recipient: EVENT.recipient, payload: EVENT.payload });
  });

  it('a stored response is masked, also if its request would be refused before it is read', async () => {
    const { environmentId, token } = await environment({ billingStatus: 'suspended' });
    await db().token.updateMany({ where: { environmentId }, data: { scopes: ['replays:write'] } });
    const key = randomUUID();
    const messageId = formatId('msg', randomUUID());
    await db().$executeRaw`
      INSERT INTO idempotency_records
        (environment_id, operation, key, fingerprint, response_status, response_body, created_at, expires_at)
      VALUES (${environmentId}::uuid, 'messages.replay', ${key}::uuid, ${createHash('sha256').update(`${messageId}\n`).digest()},
              201, ${Buffer.from('{"note":"to ada@mail.example.com"}')}, now(), now() + interval '1 hour')`;
    const replayed = await supertest(api().url)
      .post(`/api/v1/messages/${messageId}/replay`)
      .set({ Authorization: `Bearer ${token}`, 'Idempotency-Key': key });
    expect(replayed.status).toBe(201);
    expect(replayed.text).not.toContain('ada@');
  });

  it('an explanation does not tell by filters what is in a message', async () => {
    const { environmentId, token } = await environment();
    const path = `/admin/v1/environments/${formatId('env', environmentId)}`;
    const filterOf = (card: string) => ({ filter: { payload: { card } } });
    const hook = { kind: 'webhook', name: 'guess', config: { url: 'https://hook.example' } };
    const made = await api().admin('post', `${path}/channels`, { ...hook, ...filterOf('4710') });
    const { body } = await api().postEvent(token, EVENT).expect(201);
    const explained = async (as: string) => {
      const shown = await supertest(api().url)
        .get(`${path}/messages/${body.message_id}?explain=channels`)
        .set('Authorization', `Bearer ${as}`);
      return shown.body.channels.find((of: { channel_id: string }) => of.channel_id === made.body.id);
    };
    const masked = await viewer();
    expect(await explained(masked)).toMatchObject({ reason: 'filtered', condition: null });
    await api().admin('patch', `/admin/v1/channels/${made.body.id}`, filterOf('secret-4711')).expect(200);
    expect(await explained(masked)).toMatchObject({ reason: 'filtered', condition: null });
  });

  it('a payload or recipient of thousands of values is not parsed to be hidden', async () => {
    const { environmentId, token } = await environment();
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`f${index}`, {}]));
    const event = anEvent({ recipient: { ...EVENT.recipient, ...many }, payload: many });
    const sent = (await api().postEvent(token, event).expect(201)).body;
    const path = `/admin/v1/environments/${formatId('env', environmentId)}/messages`;
    const masked = await viewer();
    for (const shown of [path, `${path}/${sent.message_id}`, `${path}/${sent.message_id}?explain=channels`]) {
      const answer = await supertest(api().url).get(shown).set('Authorization', `Bearer ${masked}`);
      const message = answer.body.data?.[0] ?? answer.body;
      expect(message).toMatchObject({ id: sent.message_id, recipient: {}, payload: {} });
      expect(Object.keys(message.recipient)).toEqual([]);
    }
  });

  it.each([
    ['ada@example.com', 'a•••@e•••.com'],
    ['Ada Lovelace', 'A••• L•••'],
    ['ada@localhost', 'a•••@l•••'],
    ['', ''],
  ])('masks %s as %s', (text, masked) => {
    expect(maskText(text)).toBe(masked);
  });
});

it('masking long words without an address takes no more work than masking short ones', () => {
  function cpuOf(note: string): number {
    const data = Array.from({ length: 100 }, () => ({ attributes: { note, name: `@${'x'.repeat(90)}` } }));
    const reply = { status: 200, body: Buffer.from(JSON.stringify({ data })) };
    const before = process.cpuUsage();
    for (let times = 0; times < 20; times += 1) {
      const shown = withoutContent({ scopes: new Set(['consumers:read']) }, 'consumers:read', reply);
      expect('body' in shown && Buffer.from(shown.body).equals(reply.body)).toBe(true);
    }
    const { user, system } = process.cpuUsage(before);
    return user + system;
  }
  const longWord = 'x'.repeat(4_000);
  const shortWords = 'xxxxxxx '.repeat(500);
  // The least of some, because garbage collection is counted in whichever it interrupts. The first ones compile the patterns.
  const leastOf = (note: string) => Math.min(...Array.from({ length: 5 }, () => cpuOf(note)));
  // A pattern that looks for the `@` from each letter of a word takes more than ten times as much.
  expect(leastOf(longWord)).toBeLessThan(3 * leastOf(shortWords));
});
