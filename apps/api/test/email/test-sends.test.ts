import { type MailServer, startMailServer } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  type Break,
  type BreakingServer,
  startBreakingServer,
} from '../../../../packages/channels/test/support/raw-smtp.ts';
import { useDelivery } from '../support/delivering.ts';

const world = useDelivery();
let spare: MailServer;
const broken: BreakingServer[] = [];
beforeAll(async () => {
  spare = await startMailServer();
});
afterAll(async () => {
  await spare.close();
  await Promise.all(broken.map((server) => server.close()));
});

async function breakingAt(at: Break): Promise<number> {
  const server = await startBreakingServer(at);
  broken.push(server);
  return server.port;
}

let tests = 0;

/** Tests a channel whose spare sender, with weight 0, is at the second port; returns the run and the mails that came. */
async function testOf(ports: readonly [number, number], failover: 'safe' | 'eager') {
  const { environment, token } = await world.environment();
  const [first, second] = ports.map((port) => ({ host: '127.0.0.1', port }));
  const senders = [
    { name: 'first', provider: 'smtp', smtp: first },
    { name: 'spare', provider: 'smtp', weight: 0, smtp: second },
  ];
  const config = { senders, failover, from: { email: 'shop@example.com' }, timeout_ms: 5_000 };
  const { body: channel } = await world
    .api()
    .admin('post', `/admin/v1/environments/${environment}/channels`, { kind: 'email', name: 'Mail', config })
    .expect(201);
  tests += 1;
  const email = `test-${tests}@example.com`;
  const test = await world.command<{ message_id: string }>(['channels', 'test', channel.id, '--to', email]);
  const run = await world.ended(token, { messageId: test.message_id });
  return { run, mails: spare.mails.filter(({ to }) => to.includes(email)) };
}

describe('a test of an email channel with a spare sender', () => {
  it.each(['safe', 'eager'] as const)(
    'is sent by the spare one when the first cannot be reached: %s',
    async (failover) => {
      const { run, mails } = await testOf([await breakingAt('connect'), spare.port], failover);
      expect(run).toMatchObject({
        status: 'succeeded',
        attempts: [
          {
            sender: 'spare',
            tried: [{ sender: 'first', outcome: 'failed', error_code: 'smtp_connection_failed' }],
          },
        ],
      });
      expect(mails).toHaveLength(1);
      expect(mails[0]?.raw).toMatch(/^X-Postrider-Test: true\r?$/m);
    },
  );

  it('is not sent twice after a lost response by a channel that is safe', async () => {
    const { run, mails } = await testOf([await breakingAt('final-dot'), spare.port], 'safe');
    expect(run.attempts[0]).toMatchObject({ sender: 'first', status: 'unknown', tried: [] });
    expect(mails).toEqual([]);
  });

  it('is sent by the spare one after a lost response by a channel that is eager, which says so', async () => {
    const { run, mails } = await testOf([await breakingAt('final-dot'), spare.port], 'eager');
    expect(run.attempts[0]).toMatchObject({
      ...{ sender: 'spare', status: 'succeeded' },
      tried: [{ sender: 'first', outcome: 'unknown', error_code: 'smtp_outcome_unknown' }],
    });
    expect(mails).toHaveLength(1);
  });

  it('says what each sender did when none can send', async () => {
    const { run } = await testOf([await breakingAt('connect'), await breakingAt('mail')], 'safe');
    expect(run).toMatchObject({
      status: 'failed',
      attempts: [{ sender: 'spare', status: 'failed', tried: [{ sender: 'first', outcome: 'failed' }] }],
    });
  });
});
