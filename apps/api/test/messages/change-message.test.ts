import { formatId, parseId, type WakeUp } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { anEvent } from '../support/api.ts';
import { useApi, WEBHOOK } from '../support/database.ts';

const world = useApi();
const LATER = '2099-01-01T00:00:00.000Z';
const EVEN_LATER = '2099-06-01T00:00:00.000Z';

async function scheduled(more: object = {}) {
  const environment = await world.environment({ channels: [WEBHOOK, { ...WEBHOOK, name: 'Other' }] });
  const { body } = await world
    .api()
    .postEvent(environment.token, anEvent({ schedule_at: LATER, ...more }))
    .expect(201);
  const path = `/api/v1/messages/${body.message_id}`;
  const runIds = body.delivery_runs.map(({ id }: { id: string }) => parseId('run', id) ?? '');
  return { ...environment, path, message: body, runIds: runIds as string[] };
}

type Of = Awaited<ReturnType<typeof scheduled>>;
const cancel = ({ path, token }: Pick<Of, 'path' | 'token'>) => world.api().post(`${path}/cancel`, token);
const patch = ({ path, token }: Pick<Of, 'path' | 'token'>, schedule_at: unknown) =>
  world.api().patch(path, token).send({ schedule_at });
const outcomes = (body: { delivery_runs: { outcome: string }[] }) =>
  body.delivery_runs.map(({ outcome }) => outcome);
const runsOf = ({ runIds }: Of) =>
  world.db().deliveryRun.findMany({ where: { id: { in: runIds } }, orderBy: { id: 'asc' } });
/** Claims the first run like a worker. */
const claimFirst = async ({ runIds }: Of) =>
  world.db().deliveryRun.update({
    where: { id: runIds[0] ?? '' },
    data: {
      status: 'running',
      leaseUntil: new Date('2099-01-01'),
      startedAt: new Date(),
      attemptCount: 1,
      fence: 1,
    },
  });

describe('POST /api/v1/messages/{id}/cancel', () => {
  it('cancels every scheduled run with an attempt, and is idempotent', async () => {
    const of = await scheduled();
    const first = await cancel(of).expect(200);
    expect(first.body.message_id).toBe(of.message.message_id);
    expect(outcomes(first.body)).toEqual(['cancelled', 'cancelled']);
    const again = await cancel(of).expect(200);
    expect(outcomes(again.body)).toEqual(['already_cancelled', 'already_cancelled']);
    const attempts = await world.db().attempt.findMany({ where: { runId: { in: of.runIds } } });
    expect(attempts.map(({ errorCode }) => errorCode)).toEqual([
      'scheduled_cancelled',
      'scheduled_cancelled',
    ]);
    const read = await world.api().get(of.path, of.token).expect(200);
    expect(read.body.status).toBe('cancelled');
  });

  it('does not change a claimed run, and reports it', async () => {
    const of = await scheduled();
    await claimFirst(of);
    const { body } = await cancel(of).expect(200);
    expect(outcomes(body)).toEqual(['not_waiting', 'cancelled']);
    expect((await runsOf(of)).map(({ status }) => status)).toEqual(['running', 'cancelled']);
  });

  it('cancels each run once under concurrency', async () => {
    const of = await scheduled();
    const answers = await Promise.all(Array.from({ length: 6 }, () => cancel(of).expect(200)));
    const all = answers.flatMap(({ body }) => outcomes(body));
    expect(all.filter((outcome) => outcome === 'cancelled')).toHaveLength(2);
    expect(all.filter((outcome) => outcome === 'already_cancelled')).toHaveLength(10);
  });

  it('responds with 404 for messages of other environments', async () => {
    const [of, other] = [await scheduled(), await scheduled()];
    await cancel({ ...of, token: other.token }).expect(404);
    await cancel({ ...of, path: `/api/v1/messages/${formatId('msg', of.runIds[0] ?? '')}` }).expect(404);
    expect((await runsOf(of)).map(({ status }) => status)).toEqual(['scheduled', 'scheduled']);
  });
});

describe('PATCH /api/v1/messages/{id}', () => {
  it('reschedules every scheduled run and its job', async () => {
    const of = await scheduled();
    const { body } = await patch(of, EVEN_LATER).expect(200);
    expect(body).toMatchObject({ message_id: of.message.message_id, schedule_at: EVEN_LATER });
    expect(outcomes(body)).toEqual(['rescheduled', 'rescheduled']);
    for (const run of await runsOf(of)) {
      expect([run.status, run.scheduledAt, run.dueAt]).toEqual([
        'scheduled',
        new Date(EVEN_LATER),
        new Date(EVEN_LATER),
      ]);
    }
    const read = await world.api().get(of.path, of.token).expect(200);
    expect(read.body.schedule_at).toBe(EVEN_LATER);
  });

  it('makes runs due immediately with a past time, from then on waiting, and wakes their channels', async () => {
    const before = Date.now();
    const of = await scheduled();
    await patch(of, '2020-01-01T00:00:00Z').expect(200);
    const wakeUps = world.api().enqueued.slice(-2) as (WakeUp & { readonly runId: string })[];
    expect(new Set(wakeUps.map(({ runId }) => runId))).toEqual(new Set(of.runIds));
    expect(wakeUps.map(({ delayMs, dueMs }) => [delayMs, dueMs])).toEqual(wakeUps.map(() => [0, undefined]));
    for (const { dueAt, scheduledAt } of await runsOf(of)) {
      expect(dueAt.getTime()).toBeLessThanOrEqual(Date.now() + 60_000);
      expect(scheduledAt?.getTime()).toBeGreaterThanOrEqual(before - 60_000);
    }
  });

  it('does not change a claimed run, and responds with 409 if none is left', async () => {
    const of = await scheduled();
    await claimFirst(of);
    const { body } = await patch(of, EVEN_LATER).expect(200);
    expect(outcomes(body)).toEqual(['not_waiting', 'rescheduled']);
    await cancel(of).expect(200);
    const refused = await patch(of, LATER).expect(409);
    expect(refused.body.error.code).toBe('conflict');
  });

  it.each([null, 'tomorrow', 1])('answers 422 for the time %j', async (time) => {
    const { body } = await patch(await scheduled(), time).expect(422);
    expect(body.error.details).toMatchObject([{ path: '/schedule_at' }]);
  });

  it("respects the event's expiry and the horizon of the plan", async () => {
    const of = await scheduled({ expires_at: '2099-02-01T00:00:00Z' });
    const late = await patch(of, EVEN_LATER).expect(422);
    expect(late.body.error.details).toMatchObject([{ path: '/schedule_at', code: 'invalid_value' }]);
    const limited = await world.environment({ plan: { maxScheduleDays: 7 } });
    const soon = new Date(Date.now() + 86_400_000).toISOString();
    const { body } = await world
      .api()
      .postEvent(limited.token, anEvent({ schedule_at: soon }))
      .expect(201);
    const path = `/api/v1/messages/${body.message_id}`;
    const far = await patch({ path, token: limited.token }, LATER).expect(422);
    expect(far.body.error.details).toMatchObject([{ path: '/schedule_at', code: 'schedule_too_far' }]);
  });
});

describe('expires_at', () => {
  it('is shown with the message', async () => {
    const { path, token } = await scheduled({ expires_at: EVEN_LATER });
    const { body } = await world.api().get(path, token).expect(200);
    expect(body.expires_at).toBe(EVEN_LATER);
  });

  it.each([
    [{ expires_at: '2020-01-01T00:00:00Z' }],
    [{ expires_at: LATER, schedule_at: LATER }],
    [{ expires_at: LATER, schedule_at: EVEN_LATER }],
  ])('answers 422 for %j', async (times) => {
    const { token } = await world.environment();
    const { body } = await world.api().postEvent(token, anEvent(times)).expect(422);
    expect(body.error.details).toMatchObject([{ path: '/expires_at', code: 'invalid_value' }]);
  });
});
