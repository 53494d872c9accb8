import { type MailServer, startMailServer, waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { useDelivery } from '../support/delivering.ts';

const GIVEN = 'Ada@Bücher.example';
const STORED = 'Ada@xn--bcher-kva.example';

const world = useDelivery();
let mail: MailServer;
beforeAll(async () => {
  mail = await startMailServer();
});
afterAll(() => mail.close());

/** An environment that sends mail with copies from an internationalised domain. */
async function shop() {
  const { environment, token } = await world.environment();
  const at = `/admin/v1/environments/${environment}`;
  const admin = world.api().admin;
  const smtp = { host: '127.0.0.1', port: mail.port };
  const config = { smtp, from: { email: 'shop@bücher.example' }, reply_to: 'help@bücher.example' };
  const channel = await admin('post', `${at}/channels`, { kind: 'email', name: 'mail', config }).expect(201);
  const template = { channel_kind: 'email', subject: 'Order', text: 'Sent', cc: 'copy@bücher.example' };
  await admin('post', `${at}/templates`, { ...template, event_key: 'order.shipped', activate: true }).expect(
    201,
  );
  return { at, token, admin, channel: channel.body };
}

describe('an internationalised domain', () => {
  it('is sent mail, from such a sender and with such copies, in its ASCII form', async () => {
    const { token, channel } = await shop();
    expect(channel.config).toMatchObject({
      from: { email: 'shop@xn--bcher-kva.example' },
      reply_to: 'help@xn--bcher-kva.example',
    });
    const sent = await world.send(token, { recipient: { email: GIVEN } });
    expect(await world.ended(token, sent)).toMatchObject({ status: 'succeeded' });
    const { body } = await world.api().get(`/api/v1/messages/${sent.messageId}`, token).expect(200);
    expect(body.recipient).toEqual({ email: STORED });
    const raw = mail.mails.at(-1)?.raw;
    expect(raw).toMatch(/^From: shop@xn--bcher-kva\.example\r$/m);
    expect(raw).toMatch(/^To: Ada@xn--bcher-kva\.example\r$/m);
    expect(raw).toMatch(/^Cc: copy@xn--bcher-kva\.example\r$/m);
    expect(raw).toMatch(/^Reply-To: help@xn--bcher-kva\.example\r$/m);
  });

  it('is one recipient in either form for suppressions, searches and erasures', async () => {
    const { at, token, admin } = await shop();
    const reason = 'asked by ada@bücher.example';
    const added = await admin('post', `${at}/suppressions`, { email: GIVEN, reason }).expect(201);
    expect(added.body.email).toBe(STORED);
    const sent: { messageId: string }[] = [];
    for (const email of [GIVEN, STORED]) {
      const event = await world.send(token, { recipient: { email } });
      expect(await world.ended(token, event)).toMatchObject({ status: 'failed' });
      sent.push(event);
    }
    for (const email of [GIVEN, STORED].map(encodeURIComponent)) {
      const found = await world.api().get(`/api/v1/messages?recipient_email=${email}`, token).expect(200);
      expect(found.body.data.map(({ id }: { id: string }) => id)).toEqual(
        sent.map(({ messageId }) => messageId).reverse(),
      );
      const looked = await admin('get', `/admin/v1/lookup?q=${email}`).expect(200);
      expect(looked.body.results.slice(0, 2).map((one: { message_id: string }) => one.message_id)).toEqual(
        sent.map(({ messageId }) => messageId).reverse(),
      );
      const listed = await admin('get', `${at}/suppressions?email=${email}`).expect(200);
      expect(listed.body.data).toMatchObject([{ id: added.body.id, email: STORED, reason }]);
    }
    const erasure = await admin('post', `${at}/erasures`, { email: GIVEN }).expect(201);
    const completed = await waitFor('the erasure', async () => {
      const { body } = await admin('get', `/admin/v1/erasures/${erasure.body.id}`).expect(200);
      return body.status === 'completed' && body;
    });
    expect(completed.messages_erased).toBe(2);
    const kept = await admin('get', `${at}/suppressions`).expect(200);
    expect(kept.body.data).toMatchObject([{ id: added.body.id, email: null, reason: null }]);
  });

  it('is no way to put the address into an ordering key', async () => {
    const { token } = await shop();
    const ordering_key = 'customer ada@bücher.example';
    const refused = await world.api().postEvent(token, {
      ...{ event_key: 'order.shipped', recipient: { email: GIVEN }, payload: {}, ordering_key },
    });
    expect(refused.body.error.details).toMatchObject([{ path: '/ordering_key', code: 'invalid_value' }]);
  });

  it('does not allow a local part outside ASCII, and the refusal says so', async () => {
    const { token } = await shop();
    const refused = await world.api().postEvent(token, {
      ...{ event_key: 'order.shipped', recipient: { email: 'ädä@bücher.example' }, payload: {} },
    });
    expect(refused.body.error.details).toEqual([
      {
        path: '/recipient/email',
        code: 'invalid_format',
        message: 'must be an email address with only ASCII characters before the @',
      },
    ]);
  });
});
