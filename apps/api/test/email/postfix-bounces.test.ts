import { type MailServer, startMailServer, waitFor } from '@postrider/rig';
import { findPostfix, type Postfix, startPostfix, TLS_FRONT_CERTIFICATE } from '@postrider/rig/servers';
import { afterAll, beforeAll, describeWith, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import { useDelivery } from '../support/delivering.ts';

const world = useDelivery();
/** Downloading the package, and starting on a machine where dozens of processes want each core. */
const START_LIMIT_MS = 600_000;

describeWith(await findPostfix(), 'a bounce of Postfix', (root) => {
  let postfix: Postfix;
  /** The server of the recipients, which refuses them when Postfix has already taken their mail. */
  let remote: MailServer;
  beforeAll(async () => {
    remote = await startMailServer();
    remote.refuseRecipient('gone@example.com', 550, '5.1.1 User unknown');
    remote.refuseRecipient('full@example.com', 552, '5.2.2 Mailbox full');
    const relayed = { names: ['gone', 'full'], port: remote.port };
    postfix = await startPostfix(root, { mailboxes: ['bounces'], relayed });
  }, START_LIMIT_MS);
  afterAll(async () => {
    await postfix?.stop();
    await remote?.close();
  });

  /** An environment that sends through Postfix, and what reads and posts its bounces. */
  async function shop() {
    const { environment, token } = await world.environment();
    const channel = await world.command<{ id: string }>([
      ...['channels', 'create-email', '--environment', environment, '--name', 'Mail'],
      ...['--smtp-host', '127.0.0.1', '--smtp-port', String(postfix.tlsPort), '--smtp-secure'],
      ...['--smtp-ca-file', TLS_FRONT_CERTIFICATE, '--smtp-ehlo-name', 'worker.example.com'],
      ...['--smtp-return-path', 'bounces+{run}@Example.com', '--from-email', 'Shop@Example.com'],
    ]);
    const template = { event_key: 'order.shipped', channel_kind: 'email', subject: 'Hi', text: 'Hi' };
    const at = `/admin/v1/environments/${environment}`;
    await world
      .api()
      .admin('post', `${at}/templates`, { ...template, activate: true })
      .expect(201);
    const feedback = await world.command<{ feedback_token: string }>([
      ...['channels', 'feedback-token', channel.id],
    ]);
    const post = async (report: string) => {
      const url = `/feedback/v1/${feedback.feedback_token}/dsn`;
      const { body } = await supertest(world.api().url)
        .post(url)
        .type('message/rfc822')
        .send(Buffer.from(report, 'latin1'))
        .expect(200);
      return body;
    };
    const suppressed = async () => {
      const { body } = await world.api().admin('get', `${at}/suppressions`).expect(200);
      return body.data.map(({ email, source }: { email: string; source: string }) => [email, source]);
    };
    return { token, post, suppressed };
  }

  /** The bounce about an address, without what it says of the mail's `Message-ID`, as if a server had replaced that. */
  const bounceOf = (address: string) =>
    waitFor(`the bounce of ${address}`, async () => {
      const mails = await postfix.mailsOf('bounces');
      const found = mails.find((mail) => mail.includes(`Final-Recipient: rfc822; ${address}`));
      return found?.replaceAll(/^Message-ID: <run_.*\n/gim, '');
    });

  it('to the return path of a run finds the run, shows why, and suppresses the address', async () => {
    const { token, post, suppressed } = await shop();
    const sent = await world.send(token, { recipient: { email: 'gone@Example.com' } });
    expect(await world.ended(token, sent)).toMatchObject({ status: 'succeeded', feedback: null });
    const bounce = await bounceOf('gone@example.com');
    expect(bounce).not.toContain(sent.runId);
    expect(await post(bounce)).toEqual({ recorded: 1, duplicates: 0, ignored: 0 });
    const { feedback } = await world.ended(token, sent);
    expect(feedback).toMatchObject({ type: 'bounced', permanent: true });
    expect(await suppressed()).toEqual([['gone@example.com', 'hard_bounce']]);
  });

  it('with a forged return path finds nothing', async () => {
    const { token, post, suppressed } = await shop();
    const sent = await world.send(token, { recipient: { email: 'full@Example.com' } });
    await world.ended(token, sent);
    const bounce = await bounceOf('full@example.com');
    const id = sent.runId.replace('run_', '');
    const forged = bounce.replaceAll(new RegExp(`${id}[0-9a-z]{16}`, 'g'), `${id}${'0'.repeat(16)}`);
    expect(forged).not.toBe(bounce);
    expect(await post(forged)).toMatchObject({ recorded: 0 });
    expect(await suppressed()).toEqual([]);
    expect(await post(bounce)).toMatchObject({ recorded: 1 });
  });
});
