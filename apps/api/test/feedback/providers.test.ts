import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import {
  REPORTING,
  type Reporting,
  type ToReport,
} from '../../../../packages/channels/test/email/providers/support/feedback.ts';
import {
  CERTIFICATE,
  CERTIFICATE_URL,
} from '../../../../packages/channels/test/email/providers/support/sns.ts';
import {
  SERVICES,
  type StandIn,
  startStandIn,
} from '../../../../packages/channels/test/email/providers/support/stand-ins.ts';
import { EMAIL_TEMPLATE } from '../support/database.ts';
import { type Sent, useDelivery } from '../support/delivering.ts';

/** Amazon's certificate is the one document that is fetched: its host is fixed, so that no server here can have it. */
const world = useDelivery({
  fetchDocument: async (url) => (url.href === CERTIFICATE_URL ? CERTIFICATE : null),
});

interface Channel {
  readonly id: string;
  readonly environment: string;
  readonly token: string;
  readonly feedbackPath: string;
}

/** The provider's options of the command line for all of its settings and credentials; secrets are in variables. */
function optionsOf(provider: string, endpoint: string, { settings, credentials }: Reporting) {
  const service = SERVICES[provider];
  const flag = (name: string) => `--${provider}-${name.replaceAll('_', '-')}`;
  const given = Object.entries({ ...service?.settings, ...settings, endpoint });
  const secrets = Object.entries({ ...service?.credentials, ...credentials });
  return {
    args: [
      ...given.flatMap(([name, value]) => [flag(name), String(value)]),
      ...secrets.flatMap(([name]) => [`${flag(name)}-from`, 'env']),
    ],
    env: Object.fromEntries(
      secrets.map(([name, value]) => [`${provider}_${name}`.toUpperCase(), String(value)]),
    ),
  };
}

describe.each(Object.keys(REPORTING))('an email channel of %s', (provider) => {
  const reporting = REPORTING[provider] as Reporting;
  let standIn: StandIn;
  let channel: Channel;

  /** A channel made by the command line, in an environment of a tenant of its own. */
  async function createChannel(): Promise<Channel> {
    const template = { ...EMAIL_TEMPLATE, bcc: "{{ payload.copy | default: '' }}" };
    const { environment, token } = await world.environment({ templates: [template] });
    const { args, env } = optionsOf(provider, standIn.url, reporting);
    const create = ['channels', 'create-email', '--environment', environment, '--name', provider];
    const from = ['--from-email', 'shop@example.com'];
    const made = await world.command<{ id: string }>([...create, ...from, ...args], env);
    const tokenMade = await world.command<{ feedback_path: string; sources: string[] }>([
      ...['channels', 'feedback-token', made.id],
    ]);
    expect(tokenMade.sources).toContain(provider);
    return { id: made.id, environment, token, feedbackPath: tokenMade.feedback_path };
  }
  beforeAll(async () => {
    standIn = await startStandIn(provider);
    channel = await createChannel();
  });
  afterAll(() => standIn.close());

  const newAddress = () => `${randomUUID()}@example.com`;
  const mailsTo = (email: string) => standIn.mails.filter(({ recipients }) => recipients.includes(email));

  /** Posts what the provider reports of a run, as it documents it. */
  function report(
    { runId }: Pick<Sent, 'runId'>,
    changes: Pick<ToReport, 'type' | 'email'> & { isForged?: boolean; to?: Channel },
  ) {
    const { to = channel, ...of } = changes;
    const { body, headers } = reporting.request({ runId, nowMs: Date.now(), ...of });
    const again = () =>
      supertest(world.api().url)
        .post(`${to.feedbackPath}${provider}`)
        .set({ 'content-type': 'application/json', ...headers })
        .send(body.toString());
    return again;
  }

  async function delivered(): Promise<Sent & { email: string }> {
    const email = newAddress();
    const sent = await world.send(channel.token, { recipient: { email } });
    await world.ended(channel.token, sent);
    return { ...sent, email };
  }
  const shown = async (sent: Sent) => (await world.ended(channel.token, sent)).feedback;
  const suppressed = async () => {
    const path = `/admin/v1/environments/${channel.environment}/suppressions`;
    const { body } = await world.api().admin('get', path).expect(200);
    return body.data.map(({ email, source }: { email: string; source: string }) => [email, source]);
  };

  it('shows none of its credentials', async () => {
    const body = JSON.stringify(await world.command(['channels', 'get', channel.id]));
    const secrets = { ...SERVICES[provider]?.credentials, ...reporting.credentials };
    for (const secret of Object.values(secrets)) expect(body).not.toContain(secret);
  });

  it('sends a test', async () => {
    const email = newAddress();
    const test = await world.command<{ message_id: string }>(['channels', 'test', channel.id, '--to', email]);
    const run = await world.ended(channel.token, { messageId: test.message_id });
    expect(run).toMatchObject({ status: 'succeeded', attempts: [{ sender: provider }] });
    expect(mailsTo(email)).toMatchObject([{ from: 'shop@example.com', run: run.id }]);
  });

  it('delivers an event, and shows by whom, the id there, and what became of the mail', async () => {
    const { email, ...sent } = await delivered();
    expect(mailsTo(email)).toMatchObject([{ subject: 'Shipped', run: sent.runId }]);
    expect(await world.ended(channel.token, sent)).toMatchObject({
      status: 'succeeded',
      feedback: null,
      attempts: [{ sender: provider, provider_message_id: standIn.service.messageId }],
    });
    const { body } = await report(sent, { type: 'delivered', email })().expect(200);
    expect(body).toEqual({ recorded: 1, duplicates: 0, ignored: 0 });
    expect(await shown(sent)).toMatchObject({ type: 'delivered' });
  });

  it('accepts a report once, and refuses a forged one', async () => {
    const { email, ...sent } = await delivered();
    const refused = await report(sent, { type: 'bounced', email, isForged: true })().expect(401);
    expect(refused.body.error.code).toBe('unauthorized');
    expect(await shown(sent)).toBeNull();
    const post = report(sent, { type: 'delivered', email });
    expect((await post().expect(200)).body).toEqual({ recorded: 1, duplicates: 0, ignored: 0 });
    expect((await post().expect(200)).body).toEqual({ recorded: 0, duplicates: 1, ignored: 0 });
  });

  it('ignores a report with the token of another tenant', async () => {
    const { email, ...sent } = await delivered();
    const other = await createChannel();
    const { body } = await report(sent, { type: 'bounced', email, to: other })().expect(200);
    expect(body).toEqual({ recorded: 0, duplicates: 0, ignored: 1 });
    expect(await shown(sent)).toBeNull();
    expect(await suppressed()).not.toContainEqual([email, 'hard_bounce']);
  });

  it('does not apply reports about a copy to the run and its recipient', async () => {
    const { email, ...sent } = await delivered();
    const copy = newAddress();
    const { body } = await report(sent, { type: 'bounced', email: copy })().expect(200);
    expect(body).toEqual({ recorded: 1, duplicates: 0, ignored: 0 });
    expect(await shown(sent)).toBeNull();
    const list = await suppressed();
    expect(list).toContainEqual([copy, 'hard_bounce']);
    expect(list).not.toContainEqual([email, 'hard_bounce']);
  });

  it('sends no more mail to an address after a hard bounce', async () => {
    const { email, ...sent } = await delivered();
    await report(sent, { type: 'bounced', email })().expect(200);
    expect(await shown(sent)).toMatchObject({ type: 'bounced', permanent: true });
    expect(await suppressed()).toContainEqual([email, 'hard_bounce']);
    const next = await world.send(channel.token, { recipient: { email } });
    expect(await world.ended(channel.token, next)).toMatchObject({
      status: 'failed',
      attempts: [{ error_code: 'recipient_suppressed' }],
    });
    expect(mailsTo(email)).toHaveLength(1);
  });
});
