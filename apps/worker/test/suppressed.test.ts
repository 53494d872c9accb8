import {
  acceptReplay,
  createServiceKeys,
  draftRuns,
  type NewSuppression,
  readDeliveries,
  suppress,
} from '@postrider/db';
import type { Fixture } from '@postrider/db/testing';
import { createUuidV7Source, type JsonObject } from '@postrider/domain';
import { type MailServer, startMailServer, startSmtpReceiver, waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { mailChannel, mailTemplate } from './support/channels.ts';
import { type Harness, startHarness } from './support/harness.ts';

const newId = createUuidV7Source();
let harness: Harness;
let mail: MailServer;
beforeAll(async () => {
  [harness, mail] = await Promise.all([startHarness(), startMailServer()]);
  await harness.startWorker();
});
afterAll(async () => {
  await harness.close();
  await mail.close();
});

const mailFixture = (server: { readonly port: number } = mail, retry?: JsonObject) =>
  harness.fixture({
    channels: [mailChannel(server, { retry: retry as never })],
    templates: [mailTemplate({ text: 'Sent. {{ unsubscribe_url }}' })],
  });

/** Suppresses an address like a provider's feedback. */
async function hardBounce({ environmentId }: Fixture, email: string, entry: Partial<NewSuppression> = {}) {
  const keys = await createServiceKeys({ db: harness.db, secretBox: harness.secretBox }).get();
  await harness.db.$transaction((tx) =>
    suppress(tx as never, { newId, keys }, { environmentId, email, source: 'hard_bounce', ...entry }),
  );
}

/** A replay of a message through the fixture's only channel. */
async function replay(fixture: Fixture, messageId: string): Promise<string> {
  const { tenantId, environmentId } = fixture;
  const channel = { id: fixture.channels[0]?.id ?? '', kind: 'email', name: 'mail' } as const;
  const templateVersionId = fixture.templates[0]?.id ?? null;
  const drafted = draftRuns([{ channel, templateVersionId, maxAttempts: 1 }], { now: new Date(), messageId });
  const replayed = await acceptReplay(harness.db, {
    ...drafted,
    tenantId,
    environmentId,
  });
  if (replayed.outcome !== 'accepted') throw new Error(replayed.outcome);
  await harness.producer.enqueue(replayed.wakeUps);
  return replayed.wakeUps[0]?.runId ?? '';
}

const mailsTo = (email: string) => mail.mails.filter(({ to }) => to.includes(email));

describe('a hard bounce', () => {
  it('stops the next event, a scheduled run and a replay to the address, and nothing else', async () => {
    const [fixture, other] = [await mailFixture(), await mailFixture()];
    const { environmentId } = fixture;
    const recipient = { email: 'Bounced@example.com' };
    const before = await harness.accept(fixture, { recipient });
    await harness.runIn(fixture, before, ['succeeded']);
    const scheduleAt = new Date(Date.now() + 2_000);
    const scheduled = await harness.accept(fixture, { recipient, scheduleAt });
    await hardBounce(fixture, 'bounced@example.com');

    const next = await harness.accept(fixture, { recipient });
    expect((await harness.runIn(fixture, next, ['failed'])).attempts).toMatchObject([
      { errorCode: 'recipient_suppressed' },
    ]);
    await harness.runIn(fixture, scheduled, ['failed']);
    const replayed = await replay(fixture, before.messageId);
    const run = await waitFor('the replay', async () => {
      const found = await readDeliveries(harness.db, { environmentId, messageId: before.messageId });
      return found?.rows.find(({ id, status }) => id === replayed && status === 'failed');
    });
    expect(run.attempts).toMatchObject([{ errorCode: 'recipient_suppressed', response: null }]);

    await harness.runIn(
      fixture,
      await harness.accept(fixture, { recipient: { email: 'well@example.com' } }),
      ['succeeded'],
    );
    await harness.runIn(other, await harness.accept(other, { recipient }), ['succeeded']);
    expect(mailsTo('Bounced@example.com')).toHaveLength(2);
  });

  it('stops a retry: the server is not contacted again', async () => {
    let asked = 0;
    const server = await startSmtpReceiver(async () => {
      asked += 1;
      return 451;
    });
    try {
      const fixture = await mailFixture(server, { max_attempts: 5, delays_seconds: [3, 3, 3, 3] });
      const event = await harness.accept(fixture, {
        recipient: { email: 'later@example.com' },
        maxAttempts: 5,
      });
      await harness.runIn(fixture, event, ['retrying']);
      await hardBounce(fixture, 'later@example.com');
      const run = await harness.runIn(fixture, event, ['failed']);
      expect(run.attempts.map(({ errorCode }) => errorCode)).toEqual([
        'smtp_temporary_rejection',
        'recipient_suppressed',
      ]);
      expect(asked).toBe(1);
    } finally {
      await server.close();
    }
  });
});

describe('email in a stream', () => {
  it('has the headers of one-click unsubscribe, the same link in its text, and the same on every attempt', async () => {
    const fixture = await mailFixture();
    const { environmentId } = fixture;
    const email = 'reader@example.com';
    const event = await harness.accept(fixture, { recipient: { email }, stream: 'newsletter' });
    await harness.runIn(fixture, event, ['succeeded']);
    const [received] = mailsTo(email);
    const list = received?.headers.get('list') as Record<string, { url?: string; name?: string }>;
    const url = list.unsubscribe?.url ?? '';
    expect(url).toMatch(/^https:\/\/mail\.test\/unsubscribe\/[A-Za-z0-9_-]+$/);
    expect(list['unsubscribe-post']?.name).toBe('List-Unsubscribe=One-Click');
    expect(received?.text).toContain(url);
    const keys = await createServiceKeys({ db: harness.db, secretBox: harness.secretBox }).get();
    expect(keys.links.decrypt(url.split('/').at(-1) ?? '')).toMatchObject({
      environmentId,
      runId: event.runIds[0],
      stream: 'newsletter',
    });
  });

  it('has none of them if it is transactional', async () => {
    const fixture = await mailFixture();
    const email = 'buyer@example.com';
    await harness.runIn(fixture, await harness.accept(fixture, { recipient: { email } }), ['succeeded']);
    expect(mailsTo(email)[0]?.raw).not.toMatch(/list-unsubscribe|unsubscribe\//i);
  });

  it('is not sent without PUBLIC_URL, and says so', async () => {
    const own = await startHarness();
    try {
      await own.startWorker({ publicUrl: null });
      const fixture = await own.fixture({
        channels: [mailChannel(mail)],
        templates: [mailTemplate()],
      });
      const event = await own.accept(fixture, { stream: 'newsletter', maxAttempts: 1 });
      const run = await own.runIn(fixture, event, ['failed']);
      expect(run.attempts).toMatchObject([
        {
          errorCode: 'template_render_failed',
          errorMessage: expect.stringContaining('PUBLIC_URL'),
          retryable: true,
        },
      ]);
    } finally {
      await own.close();
    }
  });
});

describe('an address that a server refuses in the session', () => {
  const suppressed = ({ environmentId }: Fixture) =>
    harness.db.suppression.findMany({ where: { environmentId }, select: { source: true, scope: true } });

  it('is suppressed at once, as by a delivery report, and the run shows why', async () => {
    const server = await startMailServer();
    const fixture = await mailFixture(server);
    server.fail('rcpt', 550, 1, '5.1.1 User unknown');
    const event = await harness.accept(fixture);
    const run = await harness.runIn(fixture, event, ['failed']);
    expect(run).toMatchObject({
      attempts: [{ errorCode: 'smtp_permanent_rejection' }],
      feedback: { type: 'bounced', permanent: true, reason: '550 5.1.1 User unknown' },
    });
    expect(await suppressed(fixture)).toEqual([{ source: 'hard_bounce', scope: 'all' }]);
    const next = await harness.runIn(fixture, await harness.accept(fixture), ['failed']);
    expect(next.attempts).toMatchObject([{ errorCode: 'recipient_suppressed' }]);
    expect(server.mails).toEqual([]);
    await server.close();
  });

  it('is suppressed for a while after as many soft bounces in a row as the environment says', async () => {
    const server = await startMailServer();
    const fixture = await mailFixture(server);
    await harness.db.environment.update({
      where: { id: fixture.environmentId },
      data: { softBounceLimit: 2, softBouncePauseDays: 3 },
    });
    const bounce = async () => {
      server.fail('rcpt', 552, 1, '5.2.2 Mailbox full');
      const run = await harness.runIn(fixture, await harness.accept(fixture, { maxAttempts: 1 }), ['failed']);
      expect(run).toMatchObject({ feedback: { type: 'bounced', permanent: false } });
    };
    await bounce();
    await harness.runIn(fixture, await harness.accept(fixture), ['succeeded']);
    await bounce();
    expect(await suppressed(fixture)).toEqual([]);
    await bounce();
    expect(await suppressed(fixture)).toEqual([{ source: 'soft_bounce', scope: 'all' }]);
    const [entry] = await harness.db.suppression.findMany({
      where: { environmentId: fixture.environmentId },
    });
    expect(Number(entry?.expiresAt) - Number(entry?.createdAt)).toBeCloseTo(3 * 86_400_000, -4);
    const next = await harness.runIn(fixture, await harness.accept(fixture), ['failed']);
    expect(next.attempts).toMatchObject([{ errorCode: 'recipient_suppressed' }]);
    await server.close();
  });

  it.each([
    ['rcpt', 552, '5.2.2 Mailbox full', 'smtp_permanent_rejection'],
    ['rcpt', 554, '5.7.1 Relay access denied', 'smtp_sender_refused'],
    ['end', 550, '5.7.1 Spam', 'smtp_permanent_rejection'],
    ['mail', 550, '5.1.1 account suspended', 'smtp_sender_refused'],
  ] as const)('is not suppressed if it may exist: %s %i %s', async (step, code, text, errorCode) => {
    const server = await startMailServer();
    const fixture = await mailFixture(server);
    server.fail(step, code, 1, text);
    const event = await harness.accept(fixture, { maxAttempts: 1 });
    const run = await harness.runIn(fixture, event, ['failed']);
    expect(run.attempts).toMatchObject([{ errorCode }]);
    expect(await suppressed(fixture)).toEqual([]);
    await harness.runIn(fixture, await harness.accept(fixture), ['succeeded']);
    await server.close();
  });
});
