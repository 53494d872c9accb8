import { createServiceKeys, type NewSuppression, suppress } from '@postrider/db';
import type { Fixture } from '@postrider/db/testing';
import { createUuidV7Source } from '@postrider/domain';
import { type MailServer, startMailServer } from '@postrider/rig';
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

const fixtureWith = (copies: { readonly cc?: string; readonly bcc?: string }) =>
  harness.fixture({
    channels: [mailChannel(mail)],
    templates: [mailTemplate(copies)],
  });

async function add({ environmentId }: Fixture, email: string, entry: Partial<NewSuppression> = {}) {
  const keys = await createServiceKeys({ db: harness.db, secretBox: harness.secretBox }).get();
  await harness.db.$transaction((tx) =>
    suppress(tx as never, { newId, keys }, { environmentId, email, source: 'manual', ...entry }),
  );
}

const suppressions = ({ environmentId }: Fixture) =>
  harness.db.suppression.findMany({ where: { environmentId }, select: { source: true, scope: true } });
const mailsTo = (email: string) => mail.mails.filter(({ to }) => to.includes(email));

describe('a copy whose address is suppressed', () => {
  it('gets no mail and is in no header, and the attempt shows it', async () => {
    const fixture = await fixtureWith({
      cc: 'Left@example.com, kept@example.com',
      bcc: 'hidden@example.com',
    });
    await add(fixture, 'left@EXAMPLE.com');
    await add(fixture, 'hidden@example.com', { scope: 'news' });
    await add(fixture, 'kept@example.com', { scope: 'other' });
    const email = 'reader@example.com';
    const event = await harness.accept(fixture, { recipient: { email }, stream: 'news' });
    const run = await harness.runIn(fixture, event, ['succeeded']);
    const [received] = mailsTo(email);
    expect(received?.to).toEqual([email, 'kept@example.com']);
    expect(received?.raw).not.toMatch(/left@|hidden@/i);
    const suppressed = { outcome: 'suppressed', reason: null };
    expect(run.attempts.map(({ skippedCopies }) => skippedCopies)).toEqual([
      [
        { email: 'Left@example.com', ...suppressed },
        { email: 'hidden@example.com', ...suppressed },
      ],
    ]);
    const transactional = await harness.accept(fixture, { recipient: { email: 'buyer@example.com' } });
    await harness.runIn(fixture, transactional, ['succeeded']);
    expect(mailsTo('buyer@example.com')[0]?.to).toContain('hidden@example.com');
  });

  it('gets the mail of an event that ignores suppressions', async () => {
    const fixture = await fixtureWith({ cc: 'left@example.com' });
    await add(fixture, 'left@example.com');
    const email = 'urgent@example.com';
    const event = await harness.accept(fixture, { recipient: { email }, ignoreSuppression: true });
    const run = await harness.runIn(fixture, event, ['succeeded']);
    expect(mailsTo(email)[0]?.to).toEqual([email, 'left@example.com']);
    expect(run.attempts).toMatchObject([{ skippedCopies: [] }]);
  });
});

describe('a copy that the server refuses', () => {
  it('is shown and reported, and suppressed if it does not exist', async () => {
    const fixture = await fixtureWith({ cc: 'unknown@example.com', bcc: 'full@example.com' });
    mail.refuseRecipient('unknown@example.com', 550, '5.1.1 User unknown');
    mail.refuseRecipient('full@example.com', 452, '4.2.2 Mailbox full');
    const email = 'well@example.com';
    const event = await harness.accept(fixture, { recipient: { email } });
    const run = await harness.runIn(fixture, event, ['succeeded']);
    expect(run.attempts).toMatchObject([
      {
        skippedCopies: [
          { email: 'unknown@example.com', outcome: 'refused', reason: '550 5.1.1 User unknown' },
          { email: 'full@example.com', outcome: 'refused', reason: '452 4.2.2 Mailbox full' },
        ],
      },
    ]);
    expect(run.feedback).toBeNull();
    const reports = await harness.db.runFeedback.findMany({ where: { runId: run.id } });
    expect(reports.map(({ type, permanent, ofCopy }) => ({ type, permanent, ofCopy }))).toEqual(
      expect.arrayContaining([
        { type: 'bounced', permanent: true, ofCopy: true },
        { type: 'bounced', permanent: false, ofCopy: true },
      ]),
    );
    expect(await suppressions(fixture)).toEqual([{ source: 'hard_bounce', scope: 'all' }]);

    const next = await harness.accept(fixture, { recipient: { email } });
    expect((await harness.runIn(fixture, next, ['succeeded'])).attempts).toMatchObject([
      {
        skippedCopies: [
          { email: 'unknown@example.com', outcome: 'suppressed' },
          { email: 'full@example.com', outcome: 'refused' },
        ],
      },
    ]);
  });
});
