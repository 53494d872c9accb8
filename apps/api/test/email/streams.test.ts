import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MailServer, startMailServer } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { coveredBy, rsaKey, verifyDkim } from '../../../../packages/channels/test/email/verify-dkim.ts';
import { useDelivery } from '../support/delivering.ts';

const LAYOUT = '<html lang="{{ locale }}"><body>{% block %}{% endblock %}</body></html>';
const HTML =
  '{% layout \'main\' %}{% block %}<p>News. <a href="{{ unsubscribe_url }}">Leave</a></p>{% endblock %}';
const KEY = rsaKey(2_048);

const world = useDelivery();
let mail: MailServer;
let directory: string;
beforeAll(async () => {
  mail = await startMailServer();
  directory = await mkdtemp(join(tmpdir(), 'postrider-dkim-'));
  await writeFile(join(directory, 'key.pem'), KEY.pem);
});
afterAll(async () => {
  await mail.close();
  await rm(directory, { recursive: true });
});

/** An environment whose event is of a stream, its email in a layout and signed with DKIM. */
async function newsletter() {
  const { environment, token } = await world.environment();
  const at = `/admin/v1/environments/${environment}`;
  const admin = world.api().admin;
  await admin('put', `${at}/event-types/order.shipped`, { stream: 'newsletter' }).expect(200);
  await world.command([
    ...['channels', 'create-email', '--environment', environment, '--name', 'Mail'],
    ...['--smtp-host', '127.0.0.1', '--smtp-port', String(mail.port), '--from-email', 'shop@example.com'],
    ...['--dkim-domain', 'example.com', '--dkim-selector', 's2026'],
    ...['--dkim-key-file', join(directory, 'key.pem')],
  ]);
  const addLayout = (content: string) =>
    admin('post', `${at}/layouts`, { name: 'main', content, activate: true }).expect(201);
  await addLayout(LAYOUT);
  const template = { event_key: 'order.shipped', channel_kind: 'email', subject: 'News', html: HTML };
  await admin('post', `${at}/templates`, { ...template, activate: true }).expect(201);
  return { token, at, addLayout };
}

describe('email in a stream, from the event to the mail server', () => {
  it('has the headers of one-click unsubscribe under its DKIM signature', async () => {
    const { token } = await newsletter();
    const email = 'dkim@example.com';
    const sent = await world.send(token, { recipient: { email } });
    expect(await world.ended(token, sent)).toMatchObject({ status: 'succeeded' });
    const raw = mail.mails.find(({ to }) => to.includes(email))?.raw ?? '';
    expect(raw).toMatch(/^List-Unsubscribe:\s+<https:\/\/mail\.test\/unsubscribe\//m);
    expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m);
    expect(coveredBy(raw)).toEqual(expect.arrayContaining(['list-unsubscribe', 'list-unsubscribe-post']));
    const resultOf = async (text: string) => (await verifyDkim(text, KEY.record)).results[0]?.status.result;
    expect(await resultOf(raw)).toBe('pass');
    expect(await resultOf(raw.replace('mail.test/unsubscribe', 'mail.evil/unsubscribe'))).not.toBe('pass');
    expect(await resultOf(raw.replace('=One-Click', '=Two-Click'))).not.toBe('pass');
  });

  it('has a page that names the stream in the language of the recipient', async () => {
    const { token, at } = await newsletter();
    const pageFor = async (email: string, locale?: string) => {
      const sent = await world.send(token, { recipient: { email, ...(locale ? { locale } : {}) } });
      await world.ended(token, sent);
      const raw = mail.mails.find(({ to }) => to.includes(email))?.raw ?? '';
      const path = /\/unsubscribe\/[\w-]+/.exec(raw.replace(/\r\n\s+/g, ''))?.[0] ?? '';
      return (await world.api().get(path).expect(200)).text;
    };
    expect(await pageFor('unnamed@example.com')).toContain('<bdi>newsletter</bdi>');
    const stream_names = { newsletter: { en: 'Monthly <news>', de: 'Rundbrief', 'pt-BR': 'Boletim' } };
    await world.api().admin('patch', at, { stream_names }).expect(200);
    expect(await pageFor('english@example.com')).toContain('<bdi>Monthly &lt;news&gt;</bdi>');
    expect(await pageFor('german@example.com', 'de-AT')).toContain('<bdi>Rundbrief</bdi>');
    expect(await pageFor('portuguese@example.com', 'pt')).toContain('<bdi>Boletim</bdi>');
    expect(await pageFor('french@example.com', 'fr')).toContain('<bdi>Monthly &lt;news&gt;</bdi>');
  });

  it('is verified with its unsubscribe link and its layout, also after the layout has changed', async () => {
    const { token, addLayout } = await newsletter();
    const email = 'verified@example.com';
    const sent = await world.send(token, { recipient: { email } });
    await world.ended(token, sent);
    const html = mail.mails.find(({ to }) => to.includes(email))?.html ?? '';
    expect(html).toContain('https://mail.test/unsubscribe/');
    const content = async () => {
      const path = `/api/v1/delivery-runs/${sent.runId}/content`;
      return (await world.api().get(path, token).expect(200)).body;
    };
    const before = await content();
    expect(before.verified).toBe(true);
    expect(before.email.html.trim()).toBe(html.trim());
    await addLayout(LAYOUT.replace('<body>', '<body class="new">'));
    const after = await content();
    expect(after).toEqual(before);
  });
});
