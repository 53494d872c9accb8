import { createUuidV7Source, formatId, type JsonObject, type OutcomeEventType } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import {
  acceptInEnvironment,
  cancelRun,
  createIngest,
  dispatchOperationalEvents,
  emitOperational,
  inTransaction,
  removeOldOperationalEvents,
  suppress,
} from '../src/index.ts';
import { finishInTransaction } from '../src/statements/finish.ts';
import {
  createFixture,
  createOwnerClaim,
  createOwnerFinish,
  type Fixture,
  failedWith,
  SUCCEEDED,
} from '../src/testing/index.ts';
import { EMAIL, report, reported, sendOne, TEMPLATE, useFeedback } from './feedback/support.ts';
import { accepted, eventFor, plannedRuns, WEBHOOK } from './support.ts';

const world = useFeedback();
const newId = createUuidV7Source();
const FAILED = failedWith('webhook_http_error', { status: 'failed' });

interface Options {
  readonly channels?: readonly (typeof WEBHOOK | typeof EMAIL)[];
  readonly filter?: JsonObject;
  readonly templates?: readonly (typeof TEMPLATE & { readonly cc: string })[];
}

/** An environment that reports these outcomes to an operational channel, its last one. */
async function reporting(
  outcomeEvents: OutcomeEventType[],
  { channels = [WEBHOOK], filter, templates = [] }: Options = {},
): Promise<Fixture> {
  const operational = { ...WEBHOOK, name: 'reports', operational: true, ...(filter ? { filter } : {}) };
  return createFixture(world.db, {
    channels: [...channels.map((channel, index) => ({ ...channel, name: `own ${index}` })), operational],
    templates,
    settings: { outcomeEvents },
  });
}

/** Accepts an event for all channels but the operational one. Returns the ids of its runs. */
async function accept(fixture: Fixture, changes: Parameters<typeof eventFor>[1] = {}) {
  const runs = plannedRuns({ ...fixture, channels: fixture.channels.slice(0, -1) });
  const outcome = accepted(await createIngest(world.db)(eventFor(fixture, { runs, ...changes })));
  return { messageId: outcome.messageId, runIds: outcome.wakeUps.map(({ runId }) => runId) };
}

async function claim(runId: string) {
  const outcome = await createOwnerClaim(world.db)({ runId, attemptId: newId() });
  if (outcome.outcome !== 'claimed') throw new Error(`expected a claim, got ${outcome.outcome}`);
  return outcome.run;
}

/** Sends until nothing waits, and returns the events that became messages. */
async function sent({ environmentId }: Fixture) {
  while ((await dispatchOperationalEvents({ db: world.db }, 100)).hasMore);
  const messages = await world.db.message.findMany({
    where: { environmentId, operational: true },
    orderBy: { id: 'asc' },
  });
  return messages.map(({ eventKey, payload }) => ({ type: eventKey, payload: payload as JsonObject }));
}

const rowsOf = ({ environmentId }: Fixture) =>
  world.db.operationalEvent.findMany({ where: { environmentId } });

describe('outcomes of deliveries', () => {
  it('are not written unless the environment has chosen them, and only those that it has chosen', async () => {
    for (const chosen of [[], ['run.failed']] satisfies OutcomeEventType[][]) {
      const fixture = await reporting(chosen);
      const { runIds } = await accept(fixture);
      const run = await claim(runIds[0] ?? '');
      expect(run.reportsOutcomes).toBe(chosen.length > 0);
      await createOwnerFinish(world.db)(run, SUCCEEDED);
      expect(await rowsOf(fixture)).toEqual([]);
    }
  });

  it('tell of a run what ended it, without content, and nothing about the report itself', async () => {
    const fixture = await reporting(['run.succeeded', 'run.failed', 'message.completed']);
    const good = await accept(fixture, { payload: { secret: 'content' } });
    const bad = await accept(fixture, { payload: { secret: 'content' } });
    const finish = createOwnerFinish(world.db);
    await finish(await claim(good.runIds[0] ?? ''), SUCCEEDED);
    await finish(await claim(bad.runIds[0] ?? ''), FAILED);
    const events = await sent(fixture);
    const of = ({ messageId, runIds }: typeof good) => ({
      message_id: formatId('msg', messageId),
      delivery_run_id: formatId('run', runIds[0] ?? ''),
      channel_id: formatId('chn', fixture.channels[0]?.id ?? ''),
      ...{ event_key: 'order.shipped', attempts: 1 },
    });
    expect(events).toEqual(
      expect.arrayContaining([
        { type: 'run.succeeded', payload: { ...of(good), error_code: null } },
        { type: 'run.failed', payload: { ...of(bad), error_code: 'webhook_http_error' } },
        { type: 'run.exhausted', payload: { ...of(bad), error_code: 'webhook_http_error' } },
      ]),
    );
    const completed = events.filter(({ type }) => type === 'message.completed');
    const statuses = completed.map(({ payload: { message_id, status } }) => [message_id, status]);
    expect(Object.fromEntries(statuses)).toEqual({
      [formatId('msg', good.messageId)]: 'delivered',
      [formatId('msg', bad.messageId)]: 'failed',
    });
    expect(JSON.stringify(events)).not.toContain('content');
    expect(events).toHaveLength(5);

    // The reports are delivered in turn, one of them without success: nothing is written about that.
    const runs = await world.db.deliveryRun.findMany({
      where: { channelId: fixture.channels.at(-1)?.id ?? '' },
    });
    for (const [index, { id }] of runs.entries()) {
      const outcome = index === 0 ? FAILED : SUCCEEDED;
      await finish(await claim(id), outcome);
    }
    expect(await sent(fixture)).toHaveLength(5);
    const kept = await rowsOf(fixture);
    expect(kept.map(({ type }) => type).sort()).toEqual([
      'message.completed',
      'message.completed',
      'run.exhausted',
    ]);
    expect(await removeOldOperationalEvents(world.db, 100)).toBe(0);
    await world.db.$executeRaw`UPDATE operational_events SET dispatched_at = now() - interval '2 hours'`;
    expect(await removeOldOperationalEvents(world.db, 100)).toBe(2);
  });

  it('report a message once, also if its last two runs end at the same time in two transactions', async () => {
    const fixture = await reporting(['message.completed'], { channels: [WEBHOOK, WEBHOOK] });
    const { runIds, messageId } = await accept(fixture);
    const [first, second] = [await claim(runIds[0] ?? ''), await claim(runIds[1] ?? '')];
    const finish = createOwnerFinish(world.db);
    await inTransaction({ db: world.db }, async (tx) => {
      await finishInTransaction(tx, { run: first, outcome: SUCCEEDED });
      // It does not see the end of the first, which is not committed.
      await finish(second, FAILED);
      const types = (await sent(fixture)).map(({ type }) => type);
      expect(types).toEqual(['run.exhausted']);
    });
    const completed = (await sent(fixture)).filter(({ type }) => type === 'message.completed');
    const message_id = formatId('msg', messageId);
    const payload = { message_id, event_key: 'order.shipped', status: 'partially_delivered', replay: 0 };
    expect(completed).toEqual([{ type: 'message.completed', payload }]);
  });

  it('report a message once, if the ends of both its runs wait to be sent', async () => {
    const fixture = await reporting(['message.completed'], { channels: [WEBHOOK, WEBHOOK] });
    const { runIds } = await accept(fixture);
    for (const id of runIds) await createOwnerFinish(world.db)(await claim(id), SUCCEEDED);
    await dispatchOperationalEvents({ db: world.db }, 1);
    expect((await sent(fixture)).map(({ type }) => type)).toEqual(['message.completed']);
  });

  it('report a message whose run was cancelled', async () => {
    const fixture = await reporting(['message.completed', 'run.failed']);
    const { runIds } = await accept(fixture, { scheduleAt: new Date(Date.now() + 3_600_000) });
    const { environmentId } = fixture;
    const runId = runIds[0] ?? '';
    await acceptInEnvironment(world.db, environmentId, (tx) =>
      cancelRun(tx, { newId, environmentId, runId }),
    );
    expect(await sent(fixture)).toMatchObject([
      { type: 'message.completed', payload: { status: 'cancelled' } },
    ]);
  });

  it('pass the filter of the channel', async () => {
    const filter = { payload: { error_code: { $exist: true, $neq: null } } };
    const fixture = await reporting(['run.succeeded', 'run.failed'], { filter });
    const [good, bad] = [await accept(fixture), await accept(fixture)];
    const finish = createOwnerFinish(world.db);
    await finish(await claim(good.runIds[0] ?? ''), SUCCEEDED);
    await finish(await claim(bad.runIds[0] ?? ''), FAILED);
    expect((await sent(fixture)).map(({ type }) => type).sort()).toEqual(['run.exhausted', 'run.failed']);
  });

  it('are not written without an operational channel', async () => {
    const fixture = await createFixture(world.db, {
      channels: [WEBHOOK, WEBHOOK],
      settings: { outcomeEvents: ['run.succeeded'] },
    });
    const { runIds } = await accept(fixture);
    await createOwnerFinish(world.db)(await claim(runIds[0] ?? ''), SUCCEEDED);
    expect(await rowsOf(fixture)).toEqual([]);
  });
});

describe('outcomes of email', () => {
  const ALL: OutcomeEventType[] = [
    ...(['email.delivered', 'email.bounced', 'email.complained', 'email.deferred'] as const),
    'recipient.unsubscribed',
  ];

  it('are those that its servers report, once, without an address', async () => {
    const templates = [{ ...TEMPLATE, cc: 'copy@example.com' }];
    const fixture = await reporting(ALL, { channels: [EMAIL], templates });
    const mail = await sendOne(world.api, fixture);
    const bounce = reported(mail, {
      type: 'bounced',
      permanent: true,
      reason: '550 no ada@example.com here',
    });
    const events = [
      reported(mail, { type: 'deferred', reason: '451 later' }),
      reported(mail),
      bounce,
      reported(mail, { type: 'complained' }),
      reported(mail, { email: 'copy@example.com' }),
    ];
    await report(world.deps, fixture, events);
    await report(world.deps, fixture, [bounce]);
    const found = (await sent(fixture)).filter(({ type }) => type.startsWith('email.'));
    expect(Object.fromEntries(found.map(({ type, payload }) => [type, payload]))).toMatchObject({
      'email.deferred': { reason: '451 later', permanent: false, at: '2026-11-22T10:00:00.000Z' },
      'email.delivered': { message_id: formatId('msg', mail.messageId), event_key: 'order.shipped' },
      'email.bounced': { reason: null, permanent: true, delivery_run_id: formatId('run', mail.runId) },
      'email.complained': { channel_id: formatId('chn', fixture.channels[0]?.id ?? '') },
    });
    expect(found).toHaveLength(4);
    expect(JSON.stringify(found)).not.toContain('@');
  });

  it('are not written unless the environment has chosen them', async () => {
    const fixture = await reporting(['email.bounced'], { channels: [EMAIL] });
    await report(world.deps, fixture, [reported(await sendOne(world.api, fixture))]);
    expect(await rowsOf(fixture)).toEqual([]);
  });

  it('name the run by which a recipient unsubscribed', async () => {
    const fixture = await reporting(ALL, { channels: [EMAIL] });
    const { environmentId } = fixture;
    const { runId } = await sendOne(world.api, fixture);
    const keys = await world.deps.keys.get();
    const entry = { environmentId, email: 'ada@example.com', scope: 'news' } as const;
    await inTransaction({ db: world.db }, async (tx) => {
      await suppress(tx, { newId, keys }, { ...entry, source: 'unsubscribe', ofRun: runId });
      await suppress(tx, { newId, keys }, { ...entry, scope: 'all', source: 'manual' });
    });
    const events = await sent(fixture);
    expect(events.map(({ type }) => type).sort()).toEqual([
      'recipient.unsubscribed',
      'suppression.added',
      'suppression.added',
    ]);
    expect(events.find(({ type }) => type === 'recipient.unsubscribed')?.payload).toEqual({
      suppression_id: expect.stringMatching(/^sup_/),
      stream: 'news',
      delivery_run_id: formatId('run', runId),
    });
  });

  it('are not those of operational email and of tests', async () => {
    const fixture = await reporting(ALL, { channels: [EMAIL] });
    const mails = [await sendOne(world.api, fixture), await sendOne(world.api, fixture)];
    await world.db.message.updateMany({
      where: { id: mails[0]?.messageId ?? '' },
      data: { operational: true },
    });
    await world.db.message.updateMany({ where: { id: mails[1]?.messageId ?? '' }, data: { test: true } });
    for (const mail of mails) await report(world.deps, fixture, [reported(mail)]);
    expect(await rowsOf(fixture)).toEqual([]);
  });

  it('and other reports of one transaction are written in one statement, whatever their number', async () => {
    const fixture = await reporting([]);
    const { environmentId } = fixture;
    await inTransaction({ db: world.db }, (tx) =>
      emitOperational(
        tx,
        ...['a', 'b'].map((key) => ({
          ...({
            environmentId,
            type: 'channel.paused',
            payload: {},
            dedupeKey: `${environmentId} ${key}`,
          } as const),
        })),
        { environmentId, type: 'run.succeeded', payload: {}, dedupeKey: `${environmentId} c` },
      ),
    );
    expect((await rowsOf(fixture)).map(({ type }) => type)).toEqual(['channel.paused', 'channel.paused']);
  });
});
