import {
  type ChannelInput,
  type DeliveryRunRecord,
  readChannel,
  readSenderStates,
  readStats,
} from '@postrider/db';
import {
  type Answer,
  type MailServer,
  startMailServer,
  startReceiver,
  status,
  waitFor,
} from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { type Harness, startHarness } from './support/harness.ts';

let harness: Harness;
let main: MailServer;
let backup: MailServer;
beforeAll(async () => {
  [harness, main, backup] = await Promise.all([
    startHarness({ fastSweeps: ['stats'] }),
    startMailServer(),
    startMailServer({ auth: true }),
  ]);
  await harness.startWorker();
});
afterAll(async () => {
  await harness.close();
  await main.close();
  await backup.close();
});

const TEMPLATE = {
  channelKind: 'email',
  eventKey: 'order.shipped',
  subject: 'Hello',
  text: 'Hello',
  activate: true,
};
const smtp = ({ port }: MailServer, username?: string) => ({
  provider: 'smtp',
  smtp: { host: '127.0.0.1', port, secure: false, ...(username === undefined ? {} : { username }) },
});
const byMainThenBackup = (failover: 'safe' | 'eager' = 'safe'): Omit<ChannelInput, 'environmentId'> => ({
  kind: 'email',
  name: 'mail',
  config: {
    senders: [
      { name: 'main', ...smtp(main) },
      { name: 'backup', ...smtp(backup, 'shop'), weight: 0 },
    ],
    ...(failover === 'eager' ? { failover } : {}),
    from: { email: 'shop@example.com' },
  },
  credentials: { 'senders/backup/password': 'open' },
  retry: { max_attempts: 5, delays_seconds: [0.05] },
});

describe('an email channel with two senders', () => {
  it('delivers by the second when the first fails, in one attempt that shows both', async () => {
    const fixture = await harness.fixture({ channels: [byMainThenBackup()], templates: [TEMPLATE] });
    main.fail('connect', 421);
    const run = await harness.runIn(fixture, await harness.accept(fixture), ['succeeded']);
    expect(run.attempts).toMatchObject([
      {
        status: 'succeeded',
        sender: 'backup',
        tried: [{ sender: 'main', outcome: 'failed', code: 'smtp_temporary_rejection' }],
      },
    ]);
    const next = await harness.runIn(fixture, await harness.accept(fixture), ['succeeded']);
    expect(next.attempts).toMatchObject([{ sender: 'main', tried: [] }]);
  });

  it('counts the mail, and a bounce in the session, for the sender that had it', async () => {
    const fixture = await harness.fixture({ channels: [byMainThenBackup()], templates: [TEMPLATE] });
    const [channelId] = fixture.channels.map(({ id }) => id);
    const { environmentId } = fixture;
    main.fail('connect', 421);
    await harness.runIn(fixture, await harness.accept(fixture), ['succeeded']);
    main.fail('connect', 421);
    backup.refuseRecipient('nobody@example.com', 550, '5.1.1 User unknown');
    const recipient = { email: 'nobody@example.com' };
    await harness.runIn(fixture, await harness.accept(fixture, { recipient }), ['failed']);
    await harness.runIn(fixture, await harness.accept(fixture), ['succeeded']);
    const [from, to] = [new Date(Date.now() - 7_200_000), new Date(Date.now() + 3_600_000)];
    const query = { environmentId, from, to, interval: 'hour', groupBy: 'sender' } as const;
    const stats = await waitFor('the figures', async () => {
      const read = await readStats(harness.db, query);
      return read?.totals.attempts === 3 && read;
    });
    const sumsOf = (sender: string) => {
      const groups = stats.buckets.flatMap((bucket) => bucket.groups);
      const mine = groups.filter(({ key }) => key === `${channelId}/${sender}`);
      return (['attempts', 'delivered', 'failed', 'bounced'] as const).map((name) =>
        mine.reduce((sum, group) => sum + group[name], 0),
      );
    };
    expect([sumsOf('main'), sumsOf('backup')]).toEqual([
      [1, 1, 0, 0],
      [2, 1, 1, 1],
    ]);
  });

  it('shows which sender fails, since when and why, and when it is back', async () => {
    const fixture = await harness.fixture({ channels: [byMainThenBackup()], templates: [TEMPLATE] });
    const id = fixture.channels[0]?.id ?? '';
    const stateOf = async () => (await readChannel(harness.db, id))?.senderStates?.[0];
    expect(await stateOf()).toBeUndefined();
    for (let time = 0; time < 3; time += 1) {
      main.fail('connect', 421);
      await harness.runIn(fixture, await harness.accept(fixture), ['succeeded']);
    }
    await waitFor('the state to be stored', async () => (await stateOf()) !== undefined);
    expect(await stateOf()).toEqual({
      ...{ sender: 'main', state: 'open', since: expect.any(Date) },
      reason: 'The server answered 421 to the connection: it ends the session.',
    });
    // A change of the channel gives the sender another chance.
    await harness.db.channel.update({ where: { id }, data: { revision: { increment: 1 } } });
    await harness.runIn(fixture, await harness.accept(fixture), ['succeeded']);
    await waitFor('the sender to be back', async () => (await stateOf())?.state === 'closed');
  });

  it.each([
    ['mail', 'safe'],
    ['mail', 'eager'],
    ['connect', 'eager'],
  ] as const)(
    'loses none of 20 mails when one refuses the account at %s, and stops trying it: %s',
    async (step, failover) => {
      const fixture = await harness.fixture({
        channels: [byMainThenBackup(failover)],
        templates: [TEMPLATE],
      });
      const id = fixture.channels[0]?.id ?? '';
      main.fail(step, 550, 1_000, 'account suspended');
      const before = backup.mails.length;
      for (let time = 0; time < 20; time += 1) {
        const run = await harness.runIn(fixture, await harness.accept(fixture), ['succeeded']);
        expect(run.attempts).toMatchObject([{ sender: 'backup' }]);
      }
      main.fail(step, 550, 0);
      expect(backup.mails).toHaveLength(before + 20);
      const states = await readSenderStates(harness.db, [id]);
      expect(states.get(id)).toMatchObject([{ sender: 'main', state: 'open' }]);
    },
  );

  it('shows one whose pause is over as half open', async () => {
    const fixture = await harness.fixture({ channels: [byMainThenBackup()] });
    const channelId = fixture.channels[0]?.id ?? '';
    const { environmentId } = fixture;
    const past = new Date(Date.now() - 60_000);
    await harness.db.senderState.create({
      data: { channelId, environmentId, sender: 'main', state: 'open', since: past, until: past },
    });
    const states = await readSenderStates(harness.db, [channelId]);
    expect(states.get(channelId)).toMatchObject([{ sender: 'main', state: 'half_open' }]);
  });
});

describe('a sender that logs in with access tokens', () => {
  const SECRETS = { client_secret: 'secret~7731/for+tests', refresh_token: '1//refresh-7731' };
  const TOKEN = 'ya29.access-7731';
  const login = Buffer.from(`user=shop\x01auth=Bearer ${TOKEN}\x01\x01`).toString('base64');
  const all = Object.values(SECRETS).join(' ');

  it.each<[string, Answer, Partial<DeliveryRunRecord>, object[]]>([
    [
      'a token endpoint that repeats the secrets',
      status(400, {}, JSON.stringify({ error: SECRETS.client_secret, error_description: all })),
      { status: 'failed' },
      Array(5).fill({
        errorCode: 'smtp_auth_failed',
        errorMessage: expect.stringContaining('refused (HTTP 400)'),
      }),
    ],
    [
      'a token endpoint that answers with a page',
      status(200, { 'content-type': 'text/html' }, `<p>${all}</p>`),
      { status: 'failed' },
      Array(5).fill({
        errorCode: 'smtp_auth_failed',
        errorMessage: expect.stringContaining('has no bearer token'),
      }),
    ],
    [
      'a mail server that repeats the token',
      status(200, {}, JSON.stringify({ access_token: TOKEN, token_type: 'Bearer' })),
      { status: 'succeeded' },
      [
        { errorCode: 'smtp_auth_failed', response: { bodyExcerpt: expect.stringContaining('[hidden]') } },
        { status: 'succeeded' },
      ],
    ],
  ])('shows no secret in attempts and log lines with %s', async (what, answer, ending, attempts) => {
    const [receiver, server] = await Promise.all([
      startReceiver(),
      startMailServer({ tokens: { accepts: (user, token) => user === 'shop' && token === TOKEN } }),
    ]);
    try {
      server.fail('auth', 535, 2, `5.7.8 ${TOKEN} ${login}`);
      const oauth2 = { token_url: receiver.endpoint('/token', answer), client_id: 'shop' };
      const fixture = await harness.fixture({
        channels: [
          {
            ...{ kind: 'email', name: what },
            config: {
              senders: [{ name: 'main', provider: 'smtp', smtp: { ...smtp(server, 'shop').smtp, oauth2 } }],
              from: { email: 'shop@example.com' },
            },
            credentials: Object.fromEntries(
              Object.entries(SECRETS).map(([field, value]) => [`senders/main/oauth2/${field}`, value]),
            ),
            retry: { max_attempts: 5, delays_seconds: [0.05] },
          },
        ],
        templates: [TEMPLATE],
      });
      const run = await harness.runIn(fixture, await harness.accept(fixture), ['succeeded', 'failed']);
      expect(run).toMatchObject(ending);
      expect(run.attempts).toMatchObject(attempts);
      const shown = JSON.stringify([run, harness.log]);
      expect([...Object.values(SECRETS), TOKEN, login].filter((secret) => shown.includes(secret))).toEqual(
        [],
      );
    } finally {
      await receiver.close();
      await server.close();
    }
  });
});
