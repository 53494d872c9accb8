import { resumeStream } from '@postrider/db';
import { actorNamed, putTestEventType } from '@postrider/db/testing';
import { createUuidV7Source, formatId } from '@postrider/domain';
import { type MailServer, startMailServer, waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import type { RunningWorker } from '../src/compose.ts';
import { type Harness, startHarness } from './support/harness.ts';

const newId = createUuidV7Source();
const actor = actorNamed('ada');

let harness: Harness;
let mail: MailServer;
let worker: RunningWorker;
beforeAll(async () => {
  [harness, mail] = await Promise.all([
    startHarness({ fastSweeps: ['complaints', 'health'] }),
    startMailServer(),
  ]);
  // Two workers: a stream is paused once.
  worker = await harness.startWorker();
  await harness.startWorker();
});
afterAll(async () => {
  await harness.close();
  await mail.close();
});

const mailsTo = (email: string) => mail.mails.filter(({ to }) => to.includes(email));

describe('a stream about which 0.3 % of its recipients complain', () => {
  it('is paused: its email waits for an operator and is then sent, and transactional email goes on', async () => {
    const fixture = await harness.fixture({
      settings: { pauseStreamsAtComplaintRate: 0.003 },
      channels: [
        {
          kind: 'email',
          name: 'mail',
          config: {
            smtp: { host: '127.0.0.1', port: mail.port, secure: false },
            from: { email: 'shop@example.com' },
          },
        },
      ],
      templates: [
        {
          eventKey: 'order.shipped',
          channelKind: 'email',
          subject: 'News',
          text: 'Hello. {{ unsubscribe_url }}',
          activate: true,
        },
      ],
    });
    const { environmentId } = fixture;
    const [channel] = fixture.channels;
    const eventType = { environmentId, eventKey: 'order.shipped', description: null, payloadSchema: null };
    await putTestEventType(harness.db, { ...eventType, stream: 'news' });
    const accept = (email: string, stream?: string) =>
      harness.accept(fixture, { recipient: { email }, ...(stream === undefined ? {} : { stream }) });
    await harness.runIn(fixture, await accept('before@example.com', 'news'), ['succeeded']);

    await harness.db.$executeRaw`
      INSERT INTO stats_deltas (environment_id, minute, channel_id, event_key, error_code, latency_bucket, accepted,
                                delivered, failed, attempts, complained)
      VALUES (${environmentId}::uuid, date_trunc('minute', now()), ${channel?.id}::uuid, 'order.shipped', '', -1, 0,
              1000, 0, 0, 5),
             (${environmentId}::uuid, date_trunc('minute', now()), ${channel?.id}::uuid, 'order.paid', '', -1, 0,
              1000, 0, 0, 20)`;
    const rate = `postrider_complaint_rate{environment="${formatId('env', environmentId)}",stream="",service="worker"} 0.02`;
    const where = { environmentId };
    await waitFor('a paused stream', () => harness.db.streamPause.findFirst({ where }));
    const url = `http://127.0.0.1:${worker.metricsPort}/metrics`;
    await waitFor('the rate of transactional email', async () =>
      (await (await fetch(url)).text()).includes(rate),
    );
    const held = [await accept('one@example.com', 'news'), await accept('two@example.com', 'news')];
    await waitFor('two held runs', async () => {
      const runs = await harness.db.deliveryRun.count({ where: { ...where, held: 'stream:news' } });
      return runs === 2;
    });
    await harness.runIn(fixture, await accept('receipt@example.com'), ['succeeded']);
    expect(mailsTo('receipt@example.com')).toHaveLength(1);
    expect(mail.mails.filter(({ to }) => /one@|two@/.test(String(to)))).toEqual([]);

    await resumeStream({ db: harness.db, newId, actor }, { environmentId, stream: 'news' });
    for (const event of held) {
      const run = await harness.runIn(fixture, event, ['succeeded']);
      expect(run.attempts).toHaveLength(1);
    }
    for (const email of ['one@example.com', 'two@example.com']) expect(mailsTo(email)).toHaveLength(1);
    const entries = await harness.db.auditEntry.findMany({
      where: { environmentId, action: { startsWith: 'stream.' } },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ action, actor: by }) => [action, by])).toEqual([
      ['stream.paused', 'worker'],
      ['stream.resumed', 'ada'],
    ]);
  });
});
