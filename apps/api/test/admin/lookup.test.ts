import { formatId } from '@postrider/domain';
import { beforeAll, describe, expect, it } from '@postrider/testing';
import { anEvent } from '../support/api.ts';
import { useApi } from '../support/database.ts';

const { api, environment } = useApi();

const TRACE = 'a'.repeat(31).concat('1');
const found: Record<string, string> = {};
let expected: Record<string, unknown> = {};

beforeAll(async () => {
  await environment();
  const { token, tenantId, environmentId } = await environment();
  const sent = await api()
    .postEvent(
      token,
      anEvent({ recipient: { email: 'grace@example.com' }, schedule_at: '2099-01-01T00:00:00Z' }),
    )
    .set('X-Request-ID', 'checkout-7731')
    .set('traceparent', `00-${TRACE}-b7ad6b7169203331-01`)
    .expect(201);
  const runId = sent.body.delivery_runs[0].id;
  const cancelled = await api().post(`/api/v1/delivery-runs/${runId}/cancel`, token).expect(200);
  Object.assign(found, {
    message: sent.body.message_id,
    delivery_run: runId,
    attempt: cancelled.body.attempts[0].id,
    request: 'checkout-7731',
    trace: TRACE,
    recipient: 'grace@EXAMPLE.com',
  });
  expected = {
    tenant_id: formatId('ten', tenantId),
    environment_id: formatId('env', environmentId),
    message_id: sent.body.message_id,
    event_key: 'order.shipped',
    recipient_email: 'grace@example.com',
  };
});

const lookup = (q: string) => api().admin('get', `/admin/v1/lookup?q=${encodeURIComponent(q)}`);

describe('a lookup', () => {
  it.each([
    ['message', null, null],
    ['delivery_run', 'run', null],
    ['attempt', 'run', 1],
    ['request', null, null],
    ['trace', null, null],
    ['recipient', null, null],
  ])('finds a %s in any environment', async (type, run, attempt) => {
    const { body } = await lookup(found[type] ?? '').expect(200);
    expect(body).toEqual({
      results: [
        expect.objectContaining({
          ...expected,
          type,
          delivery_run_id: run && found.delivery_run,
          attempt_number: attempt,
        }),
      ],
      has_more: false,
      resources: [],
      recipient: type === 'recipient' ? { messages: 1, failed: 0, is_lower_bound: false } : null,
      searched_back_to: null,
    });
    expect(body.results[0]).toMatchObject({ status: 'cancelled', channel: { kind: 'webhook' }, match: null });
  });

  it.each(['msg_01h455vb4pex5vsknk084sn02q', 'nobody@example.com', 'no-request', 'b'.repeat(32), 'env_x'])(
    'finds nothing for an unknown %s',
    async (q) => {
      expect((await lookup(q).expect(200)).body).toMatchObject({
        results: [],
        resources: [],
        has_more: false,
      });
    },
  );

  it('returns the newest 50 and says that there are more', async () => {
    const { token } = await environment();
    for (let index = 0; index < 51; index += 1) {
      await api()
        .postEvent(token, anEvent({ recipient: { email: 'many@example.com' } }))
        .expect(201);
    }
    const { body } = await lookup('many@example.com').expect(200);
    expect(body.results).toHaveLength(50);
    expect(body.has_more).toBe(true);
    const times = body.results.map((result: { created_at: string }) => result.created_at);
    expect(times).toEqual([...times].sort().reverse());
  });

  it.each(['', 'x'.repeat(400), 'line\nbreak'])('refuses an impossible text: %j', async (q) => {
    await lookup(q).expect(422);
  });

  it('needs the text exactly once', async () => {
    await api().admin('get', '/admin/v1/lookup').expect(422);
    await api().admin('get', '/admin/v1/lookup?q=a&q=b').expect(422);
  });
});
