import { randomUUID } from 'node:crypto';
import { parseId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import type { Response } from 'supertest';
import { isDocumented } from '../openapi-conformance.ts';
import { EMAIL, EMAIL_TEMPLATE, useApi } from '../support/database.ts';
import { setRunStatus } from '../support/deliveries.ts';

const world = useApi();

const attempt = <More extends object>(runId: string, number: number, more: More) => ({
  id: randomUUID(),
  runId,
  number,
  fence: number,
  startedAt: new Date('2026-11-21T10:00:00.000Z'),
  completedAt: new Date('2026-11-21T10:00:00.250Z'),
  durationMs: 250,
  ...more,
});

describe('GET /api/v1/messages/{messageId}/deliveries', () => {
  it('answers 200 with the runs, each with its attempts, oldest first', async () => {
    const { token } = await world.environment({ channels: [EMAIL], templates: [EMAIL_TEMPLATE] });
    const posted = await world.api().postEvent(token);
    const { message_id, delivery_runs } = posted.body;
    const [run] = delivery_runs;
    const runId = parseId('run', run.id) ?? '';
    await world.db().attempt.createMany({
      data: [
        attempt(runId, 1, {
          status: 'failed',
          errorCode: 'webhook_http_error',
          errorMessage: 'The endpoint answered 500.',
          retryable: true,
          responseStatus: 500,
          responseExcerpt: 'no',
        }),
        attempt(runId, 2, { status: 'succeeded', retryable: false }),
      ],
    });
    await world.db().deliveryRun.update({ where: { id: runId }, data: { attemptCount: 2 } });
    await setRunStatus(world.db(), run.id, 'succeeded');
    const replay = await world.api().post(`/api/v1/messages/${message_id}/replay`, token);
    const response = await world.api().get(`/api/v1/messages/${message_id}/deliveries`, token);
    expect(response.status).toBe(200);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const common = {
      message_id,
      channel: run.channel,
      template: { id: expect.stringMatching(/^tpl_/), version: 1 },
      max_attempts: 8,
      scheduled_at: null,
      started_at: null,
      next_attempt_at: null,
      held_by: null,
      sequence: null,
      queue: null,
      created_at: time,
      feedback: null,
    };
    const ofAttempt = {
      id: expect.stringMatching(/^att_/),
      delivery_run_id: run.id,
      duration_ms: 250,
      sender: null,
      provider_message_id: null,
      tried: [],
      skipped_copies: [],
    };
    expect(response.body).toEqual({
      message_id,
      delivery_runs: [
        {
          ...common,
          id: run.id,
          status: 'succeeded',
          trigger: 'event',
          replay: 0,
          attempt_count: 2,
          completed_at: time,
          last_error: {
            code: 'webhook_http_error',
            message: 'The endpoint answered 500.',
            attempt_number: 1,
          },
          attempts: [
            {
              ...ofAttempt,
              number: 1,
              status: 'failed',
              error_code: 'webhook_http_error',
              error_message: 'The endpoint answered 500.',
              retryable: true,
              started_at: '2026-11-21T10:00:00.000Z',
              completed_at: '2026-11-21T10:00:00.250Z',
              response: { status_code: 500, body_excerpt: 'no' },
            },
            {
              ...ofAttempt,
              number: 2,
              status: 'succeeded',
              error_code: null,
              error_message: null,
              retryable: false,
              started_at: '2026-11-21T10:00:00.000Z',
              completed_at: '2026-11-21T10:00:00.250Z',
              response: null,
            },
          ],
        },
        {
          ...common,
          id: replay.body.delivery_runs[0].id,
          status: 'queued',
          trigger: 'replay',
          replay: 1,
          attempt_count: 0,
          completed_at: null,
          last_error: null,
          attempts: [],
        },
      ],
      has_more: false,
      next_cursor: null,
    });
  });

  it('pages through each run once, and reports invalid parameters', async () => {
    const { token } = await world.environment();
    const { message_id } = (await world.api().postEvent(token)).body;
    for (let replay = 0; replay < 4; replay += 1) {
      await world.api().post(`/api/v1/messages/${message_id}/replay`, token).expect(201);
    }
    const path = `/api/v1/messages/${message_id}/deliveries`;
    const all = (await world.api().get(path, token)).body.delivery_runs;
    expect(all).toHaveLength(5);
    const pages: unknown[][] = [];
    let query: string | null = '?limit=2';
    while (query !== null) {
      const page: Response = await world.api().get(`${path}${query}`, token);
      isDocumented(page);
      const { body } = page;
      pages.push(body.delivery_runs);
      expect(body.has_more).toBe(body.next_cursor !== null);
      query = body.next_cursor && `?limit=2&cursor=${body.next_cursor}`;
    }
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(pages.flat()).toEqual(all);
    const refused = await world
      .api()
      .get(`${path}?limit=0&cursor=x&page=2`, token)
      .expect(422)
      .expect(isDocumented);
    const paths = refused.body.error.details.map((detail: { path: string }) => detail.path);
    expect(paths.sort()).toEqual(['/cursor', '/limit', '/page']);
  });

  it('shows when the next attempt of a retrying run is due, and only for those', async () => {
    const { token } = await world.environment();
    const posted = await world.api().postEvent(token);
    const [run] = posted.body.delivery_runs;
    await setRunStatus(world.db(), run.id, 'retrying');
    const due = new Date('2026-12-01T00:00:00.000Z');
    await world.db().deliveryRun.update({
      where: { id: parseId('run', run.id) ?? '' },
      data: { dueAt: due },
    });
    const response = await world.api().get(`/api/v1/messages/${posted.body.message_id}/deliveries`, token);
    expect(response.body.delivery_runs[0]).toMatchObject({
      status: 'retrying',
      next_attempt_at: due.toISOString(),
    });
  });

  it('shows why a run of a paused channel is held, without a time of its next attempt', async () => {
    const { token } = await world.environment();
    const posted = await world.api().postEvent(token);
    const [run] = posted.body.delivery_runs;
    await setRunStatus(world.db(), run.id, 'retrying');
    await world.db().deliveryRun.update({
      where: { id: parseId('run', run.id) ?? '' },
      data: { held: 'paused', dueAt: new Date('9999-12-31T00:00:00Z') },
    });
    const { body } = await world.api().get(`/api/v1/messages/${posted.body.message_id}/deliveries`, token);
    expect(body.delivery_runs[0]).toMatchObject({ held_by: 'channel_paused', next_attempt_at: null });
  });

  it('answers 404 message_not_found to an unknown id, and 401 without a token', async () => {
    const { token } = await world.environment();
    const path = '/api/v1/messages/msg_01h455vb4pex5vsknk084sn02q/deliveries';
    const response = await world.api().get(path, token);
    expect(response.status).toBe(404);
    expect(response.body.error.code).toBe('message_not_found');
    expect((await world.api().get(path)).status).toBe(401);
  });
});
