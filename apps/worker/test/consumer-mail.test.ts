import {
  createChannel,
  createServiceKeys,
  inTransaction,
  putConsumer,
  suppress,
  switchChannel,
} from '@postrider/db';
import { type Fixture, type FixtureInput, passTime } from '@postrider/db/testing';
import { NEW_CONSUMER } from '@postrider/domain';
import { type MailServer, type Receiver, status, waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { mailChannel, mailTemplate, webhookChannel } from './support/channels.ts';
import type { Harness } from './support/harness.ts';
import { HOUR, type Reporting, startReporting } from './support/reporting.ts';

let reporting: Reporting;
let harness: Harness;
let receiver: Receiver;
let mail: MailServer;

beforeAll(async () => {
  reporting = await startReporting([]);
  ({ harness, receiver, mail } = reporting);
});
afterAll(() => reporting.close());

type Made = Fixture & { input: FixtureInput };
/** Mails to the contacts of consumers. */
const toContacts = () => ({ ...mailChannel(mail), eventKeys: ['channel.*'], operational: true });
const mailsTo = (address: string) => mail.mails.filter(({ to }) => to.includes(address));

/** Gives a consumer a webhook; the result is a fixture of that channel alone. */
async function withWebhook(
  fixture: Made,
  { id, contactEmail }: { readonly id: string; readonly contactEmail: string | null },
  webhook: ReturnType<typeof webhookChannel>,
): Promise<Made> {
  const { environmentId } = fixture;
  await putConsumer(reporting.deps(), { environmentId, id }, { ...NEW_CONSUMER, contactEmail });
  const { channel, secret } = await createChannel(reporting.deps(), {
    ...webhook,
    environmentId,
    consumerId: id,
  });
  return { ...fixture, channels: [{ id: channel.id, secret }], input: { channels: [webhook] } };
}

/** A webhook whose receiver says that it is gone, which pauses the channel at once. */
const goneWebhook = (path: string) => webhookChannel(receiver.endpoint(path, status(410)));

async function untilPaused({ id }: { readonly id: string } = { id: '' }): Promise<void> {
  await waitFor('the pause', () => harness.db.channel.findFirst({ where: { id, paused: true } }));
}

describe('the contact of a consumer', () => {
  it('gets one mail when an endpoint is paused and one when it recovers, by the template of the environment', async () => {
    const name = '<script>alert(1)</script>';
    const fixture = await harness.fixture({
      channels: [toContacts()],
      templates: [
        mailTemplate({
          eventKey: 'channel.paused',
          subject: 'Your endpoint is paused',
          text: undefined,
          html: '<p>{{ payload.name }} of {{ payload.consumer }}</p>',
        }),
      ],
    });
    let isUp = false;
    const url = receiver.endpoint('/shaky', (response) => response.writeHead(isUp ? 200 : 410).end());
    const consumer = { id: 'org_42', contactEmail: 'ada@org42.example' };
    const own = await withWebhook(fixture, consumer, { ...webhookChannel(url), name });
    const other = await withWebhook(
      fixture,
      { id: 'org_43', contactEmail: 'bob@org43.example' },
      webhookChannel(receiver.endpoint('/fine', status(200))),
    );
    await harness.runIn(other, await harness.accept(other), ['succeeded']);
    const event = await harness.accept(own);
    await waitFor('the mail about the pause', () => mailsTo('ada@org42.example').length === 1);
    isUp = true;
    await passTime(harness.db, own.channels[0]?.id ?? '', HOUR);
    await harness.runIn(own, event, ['succeeded']);
    await waitFor('the mail about the recovery', () => mailsTo('ada@org42.example').length === 2);
    await reporting.settled(fixture);
    const [paused, recovered] = mailsTo('ada@org42.example');
    expect(paused?.subject).toBe('Your endpoint is paused');
    expect(paused?.html).toContain('<p>&lt;script&gt;alert(1)&lt;/script&gt; of org_42</p>');
    expect(recovered?.subject).toBe('Postrider: channel.recovered');
    expect(mailsTo('ada@org42.example')).toHaveLength(2);
    expect(mailsTo('bob@org43.example')).toEqual([]);
  });

  it('gets none without an address, about a wanted pause, or about channels of the environment', async () => {
    const before = mail.mails.length;
    const fixture = await harness.fixture({ channels: [toContacts(), goneWebhook('/gone')] });
    const silent = await withWebhook(fixture, { id: 'a', contactEmail: null }, goneWebhook('/gone-a'));
    const manual = await withWebhook(
      fixture,
      { id: 'b', contactEmail: 'b@example.com' },
      webhookChannel(receiver.endpoint('/fine', status(200))),
    );
    const channelId = manual.channels[0]?.id ?? '';
    await switchChannel(reporting.deps(), { channelId, to: 'paused' });
    await switchChannel(reporting.deps(), { channelId, to: 'resumed' });
    await harness.accept(fixture, { channels: [1] });
    await harness.accept(silent);
    await untilPaused(silent.channels[0]);
    await untilPaused(fixture.channels[1]);
    await reporting.settled(fixture);
    expect(mail.mails.slice(before)).toEqual([]);
  });

  it('gets none if the address is suppressed', async () => {
    const fixture = await harness.fixture({ channels: [toContacts()] });
    const { environmentId } = fixture;
    const email = 'gone@example.com';
    const source = createServiceKeys({ db: harness.db, secretBox: harness.secretBox });
    const keys = await source.get();
    await inTransaction({ db: harness.db }, (tx) =>
      suppress(tx, { newId: reporting.deps().newId, keys }, { environmentId, email, source: 'manual' }),
    );
    const own = await withWebhook(fixture, { id: 'org_1', contactEmail: email }, goneWebhook('/gone-1'));
    await harness.accept(own);
    await untilPaused(own.channels[0]);
    await reporting.settled(fixture);
    const [run] = await harness.db.deliveryRun.findMany({
      where: { environmentId, message: { operational: true } },
      select: { status: true, lastErrorCode: true },
    });
    expect(run).toEqual({ status: 'failed', lastErrorCode: 'recipient_suppressed' });
    expect(mailsTo(email)).toEqual([]);
  });

  it('gets at most four in an hour, however often an endpoint is paused, and none when somebody resumes it', async () => {
    const fixture = await harness.fixture({ channels: [toContacts()] });
    const consumer = { id: 'org_1', contactEmail: 'Victim@example.com' };
    const own = await withWebhook(fixture, consumer, goneWebhook('/gone-often'));
    const channelId = own.channels[0]?.id ?? '';
    for (let round = 0; round < 6; round += 1) {
      await harness.accept(own);
      await untilPaused(own.channels[0]);
      await switchChannel(reporting.deps(), { channelId, to: 'resumed' });
      await reporting.settled(fixture);
    }
    // Two for each round; more if a run that the resume released has paused the channel again.
    const { environmentId } = fixture;
    expect(await harness.db.operationalEvent.count({ where: { environmentId } })).toBeGreaterThanOrEqual(12);
    const subjects = mailsTo('Victim@example.com').map(({ subject }) => subject);
    expect(subjects).toEqual(Array(4).fill('Postrider: channel.paused'));
  });
});
