import { randomUUID } from 'node:crypto';
import type { RunStatus } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { anEvent } from '../support/api.ts';
import { useApi } from '../support/database.ts';
import { setRunStatus } from '../support/deliveries.ts';
import { untilAnswered } from '../support/waiting.ts';

const world = useApi();

async function postScheduled(token: string) {
  const posted = await world.api().postEvent(token, anEvent({ schedule_at: '2099-01-01T00:00:00Z' }));
  return { messageId: posted.body.message_id as string, runId: posted.body.delivery_runs[0].id as string };
}
const cancel = (token: string, runId: string, key?: string) => {
  const request = world.api().post(`/api/v1/delivery-runs/${runId}/cancel`, token);
  return key === undefined ? request : request.set('Idempotency-Key', key);
};

describe('POST /api/v1/delivery-runs/{deliveryRunId}/cancel', () => {
  it('answers 200 with the cancelled run and its attempt scheduled_cancelled', async () => {
    const { token } = await world.environment();
    const { messageId, runId } = await postScheduled(token);
    const response = await cancel(token, runId);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      id: runId,
      message_id: messageId,
      status: 'cancelled',
      completed_at: expect.any(String),
      last_error: { code: 'scheduled_cancelled' },
      attempts: [
        { status: 'cancelled', error_code: 'scheduled_cancelled', retryable: false, response: null },
      ],
    });
    const read = await world.api().get(`/api/v1/messages/${messageId}/deliveries`, token);
    expect(read.body.delivery_runs).toEqual([response.body]);
    const message = await world.api().get(`/api/v1/messages/${messageId}`, token);
    expect(message.body.status).toBe('cancelled');
  });

  it.each<RunStatus>(['queued', 'running', 'retrying', 'succeeded', 'failed', 'cancelled'])(
    'responds with 409 delivery_run_not_cancellable and the status for a run that is %s, and changes nothing',
    async (status) => {
      const { token } = await world.environment();
      const { messageId, runId } = await postScheduled(token);
      await setRunStatus(world.db(), runId, status);
      const response = await cancel(token, runId);
      expect(response.status).toBe(409);
      expect(response.body.error.code).toBe('delivery_run_not_cancellable');
      expect(response.body.error.details).toEqual([
        { path: '', code: 'current_status', message: `The run is ${status}.`, status },
      ]);
      const read = await world.api().get(`/api/v1/messages/${messageId}/deliveries`, token);
      expect(read.body.delivery_runs[0]).toMatchObject({ status, attempts: [] });
    },
  );

  it('lets one of 20 concurrent cancels win', async () => {
    const { token } = await world.environment();
    const { runId } = await postScheduled(token);
    const responses = await Promise.all(Array.from({ length: 20 }, () => cancel(token, runId)));
    const statuses = responses.map((response) => response.status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
  });

  it('honours an Idempotency-Key: the same bytes again, 409 for another run', async () => {
    const { token } = await world.environment();
    const one = await postScheduled(token);
    const two = await postScheduled(token);
    const key = randomUUID();
    const first = await cancel(token, one.runId, key);
    const again = await cancel(token, one.runId, key);
    expect(first.status).toBe(200);
    expect(again.status).toBe(200);
    expect(again.text).toBe(first.text);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect((await cancel(token, two.runId, key)).body.error.code).toBe('idempotency_conflict');
    expect((await cancel(token, two.runId, randomUUID())).status).toBe(200);
  });

  it('gives 50 concurrent cancels with one key over two processes the same response', async () => {
    const { token } = await world.environment();
    const { runId } = await postScheduled(token);
    const apis = [world.api(), await world.more()];
    const key = randomUUID();
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        untilAnswered(() =>
          (apis[index % 2] ?? world.api())
            .post(`/api/v1/delivery-runs/${runId}/cancel`, token)
            .set('Idempotency-Key', key),
        ),
      ),
    );
    expect(new Set(responses.map((response) => response.status))).toEqual(new Set([200]));
    expect(new Set(responses.map((response) => response.text)).size).toBe(1);
  });

  it('accepts an empty object as its body and responds with 422 to a field', async () => {
    const { token } = await world.environment();
    const { runId } = await postScheduled(token);
    const refused = await cancel(token, runId).send({ reason: 'x' });
    expect(refused.status).toBe(422);
    expect(refused.body.error.details[0]).toMatchObject({ path: '/reason', code: 'unknown_field' });
    expect((await cancel(token, runId).send({})).status).toBe(200);
  });

  it('answers 400, 413 and 415 to a bad key and bad bodies', async () => {
    const { token } = await world.environment();
    const { runId } = await postScheduled(token);
    const post = (type: string, text: string) => cancel(token, runId).type(type).send(text);
    expect((await cancel(token, runId, 'x')).body.error.code).toBe('idempotency_key_invalid');
    expect((await post('application/json', '{')).body.error.code).toBe('invalid_json');
    expect((await post('text/plain', 'x')).body.error.code).toBe('unsupported_media_type');
    expect((await post('application/json', ' '.repeat(256 * 1024 + 1))).status).toBe(413);
  });

  it.each(['run_01h455vb4pex5vsknk084sn02q', 'msg_01h455vb4pex5vsknk084sn02q', 'x'])(
    'answers 404 delivery_run_not_found to %s',
    async (id) => {
      const { token } = await world.environment();
      const response = await cancel(token, id);
      expect(response.status).toBe(404);
      expect(response.body).toEqual({
        error: {
          code: 'delivery_run_not_found',
          message: 'There is no such delivery run.',
          request_id: 'unknown',
        },
      });
    },
  );

  it('answers 401 without a token', async () => {
    expect((await world.api().post('/api/v1/delivery-runs/x/cancel')).status).toBe(401);
  });
});
