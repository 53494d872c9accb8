import { type ChannelInput, readChannel, readSenderStates } from '@postrider/db';
import { type MailServer, startMailServer, waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { type Harness, startHarness } from './support/harness.ts';

let harness: Harness;
let main: MailServer;
let backup: MailServer;
beforeAll(async () => {
  [harness, main, backup] = await Promise.all([
    startHarness(),
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
      reason: 'The server answered 421 to CONN: it ends the session.',
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
