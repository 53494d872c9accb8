import { describe, expect, it } from '@postrider/testing';
import { anEvent } from '../support/api.ts';
import { useApi } from '../support/database.ts';
import { setRunStatus } from '../support/deliveries.ts';

const world = useApi();

describe('GET /api/v1/messages/{messageId}', () => {
  it('answers 200 with the message record', async () => {
    const { token } = await world.environment();
    const posted = await world
      .api()
      .postEvent(token, anEvent({ schedule_at: '2099-01-01T00:00:00Z' }))
      .set('X-Request-ID', 'req-7');
    const response = await world.api().get(`/api/v1/messages/${posted.body.message_id}`, token);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      id: posted.body.message_id,
      message_id: posted.body.message_id,
      event_key: 'order.shipped',
      status: 'pending',
      recipient: { email: 'ada@example.com', name: 'Ada' },
      payload: { order_id: 'A-1' },
      schedule_at: '2099-01-01T00:00:00.000Z',
      expires_at: null,
      ordering_key: null,
      consumer: null,
      erased_at: null,
      request_id: 'req-7',
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      test: false,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      delivery_runs: posted.body.delivery_runs.map((run: object) => ({ ...run, feedback: null })),
      has_more_runs: false,
    });
  });

  it('derives the status from the runs', async () => {
    const { token } = await world.environment();
    const posted = await world.api().postEvent(token);
    const status = async () =>
      (await world.api().get(`/api/v1/messages/${posted.body.message_id}`, token)).body.status;
    expect(await status()).toBe('pending');
    await setRunStatus(world.db(), posted.body.delivery_runs[0].id, 'succeeded');
    expect(await status()).toBe('delivered');
    await setRunStatus(world.db(), posted.body.delivery_runs[0].id, 'failed');
    expect(await status()).toBe('failed');
  });

  it.each([
    'msg_01h455vb4pex5vsknk084sn02q',
    'run_01h455vb4pex5vsknk084sn02q',
    'x',
    '%00',
    'msg_%F0%9F%9A%80',
  ])('answers 404 message_not_found to %s', async (id) => {
    const { token } = await world.environment();
    const response = await world.api().get(`/api/v1/messages/${id}`, token);
    expect(response.status).toBe(404);
    expect(response.body).toEqual({
      error: { code: 'message_not_found', message: 'There is no such message.', request_id: 'unknown' },
    });
  });

  it('answers 401 without a token, whatever the id', async () => {
    expect((await world.api().get('/api/v1/messages/x')).status).toBe(401);
  });

  it('answers HEAD with the headers of GET and no body', async () => {
    const { token } = await world.environment();
    const posted = await world.api().postEvent(token);
    const path = `/api/v1/messages/${posted.body.message_id}`;
    const get = await world.api().get(path, token);
    const head = await fetch(world.api().url + path, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.text)));
    expect(await head.text()).toBe('');
  });
});
