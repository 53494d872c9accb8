import { createOwnerClaim, createOwnerFinish, failedWith } from '@postrider/db/testing';
import { createUuidV7Source, formatId, parseId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { anEvent } from '../support/api.ts';
import { EMAIL, EMAIL_TEMPLATE, useApi, WEBHOOK } from '../support/database.ts';
import { setRunStatus } from '../support/deliveries.ts';

const world = useApi();
const newId = createUuidV7Source();

interface Posted {
  readonly message_id: string;
  readonly delivery_runs: readonly { readonly id: string; readonly channel: { readonly id: string } }[];
}

async function post(token: string, changes: Record<string, unknown> = {}): Promise<Posted> {
  const { body } = await world.api().postEvent(token, anEvent(changes)).expect(201);
  return body;
}

const pathOf = (environmentId: string) => `/admin/v1/environments/${formatId('env', environmentId)}/messages`;

async function search(environmentId: string, query = ''): Promise<string[]> {
  const { body } = await world
    .api()
    .admin('get', `${pathOf(environmentId)}?${query}`)
    .expect(200);
  return body.data.map(({ id }: { id: string }) => id);
}

/** Makes one attempt of the run fail as a worker would. */
async function failOnce(publicRunId: string): Promise<void> {
  const runId = parseId('run', publicRunId) ?? '';
  const claimed = await createOwnerClaim(world.db())({ runId, attemptId: newId() });
  if (claimed.outcome !== 'claimed') throw new Error(claimed.outcome);
  await createOwnerFinish(world.db())(claimed.run, failedWith('webhook_timeout', { status: 'failed' }));
}

describe('GET /admin/v1/environments/{id}/messages', () => {
  it('returns the records of the public API, newest first, page by page', async () => {
    const { token, environmentId } = await world.environment();
    const posted = [await post(token), await post(token), await post(token)].map(
      ({ message_id }) => message_id,
    );
    const first = await world
      .api()
      .admin('get', `${pathOf(environmentId)}?limit=2`)
      .expect(200);
    expect(first.body.data.map(({ id }: { id: string }) => id)).toEqual([posted[2], posted[1]]);
    expect(await search(environmentId, `cursor=${first.body.next_cursor}`)).toEqual([posted[0]]);
    const { body } = await world.api().get(`/api/v1/messages/${posted[2]}`, token);
    expect(first.body.data[0]).toEqual(body);
  });

  it('has the filters of the public list', async () => {
    const { token, environmentId } = await world.environment();
    const one = await post(token, { event_key: 'invoice.paid' });
    const two = await post(token, { recipient: { email: 'bob@example.com' } });
    await setRunStatus(world.db(), two.delivery_runs[0]?.id ?? '', 'succeeded');
    expect(await search(environmentId, 'event_key=invoice.paid')).toEqual([one.message_id]);
    expect(await search(environmentId, 'recipient_email=bob@example.com')).toEqual([two.message_id]);
    expect(await search(environmentId, 'status=delivered')).toEqual([two.message_id]);
    expect(await search(environmentId, 'created_before=2020-01-01T00:00:00Z')).toEqual([]);
    expect(await search(environmentId, 'created_after=2020-01-01T00:00:00Z')).toHaveLength(2);
  });

  it('applies run filters to the same run', async () => {
    const { token, environmentId, channels } = await world.environment({
      channels: [WEBHOOK, EMAIL],
      templates: [EMAIL_TEMPLATE],
    });
    const [hook = '', mail = ''] = channels.map(({ id }) => formatId('chn', id));
    const { message_id: id, delivery_runs: runs } = await post(token);
    const runOf = (channel: string) => runs.find((run) => run.channel.id === channel)?.id ?? '';
    await setRunStatus(world.db(), runOf(mail), 'succeeded');
    await failOnce(runOf(hook));
    const finds = async (query: string) => (await search(environmentId, query)).includes(id);
    expect(await finds('run_status=failed')).toBe(true);
    expect(await finds(`run_status=failed&channel_id=${hook}`)).toBe(true);
    expect(await finds(`run_status=failed&channel_id=${mail}`)).toBe(false);
    expect(await finds('run_status=failed&channel_kind=webhook')).toBe(true);
    expect(await finds('run_status=failed&channel_kind=email')).toBe(false);
    expect(await finds('error_code=webhook_timeout')).toBe(true);
    expect(await finds('error_code=webhook_timeout&channel_kind=email')).toBe(false);
    expect(await finds('error_code=webhook_timeout&event_key=order.shipped')).toBe(true);
    expect(await finds('error_code=webhook_timeout&event_key=invoice.paid')).toBe(false);
    expect(await finds('error_code=webhook_http_error')).toBe(false);
    expect(await finds('run_status=queued')).toBe(false);
  });

  it('finds a run by the time at which it failed, however long ago its event was accepted', async () => {
    const { token, environmentId } = await world.environment();
    const { message_id: id, delivery_runs: runs } = await post(token);
    const finds = async (query: string) => (await search(environmentId, query)).includes(id);
    expect(await finds('run_ended_after=2020-01-01T00:00:00Z')).toBe(false);
    await failOnce(runs[0]?.id ?? '');
    const endedAt = async (at: string) => {
      await world.db().$executeRaw`UPDATE delivery_runs SET completed_at = ${at}::timestamptz
        WHERE message_id = ${parseId('msg', id)}::uuid`;
    };
    await endedAt('2040-01-01T00:00:00Z');
    expect(await finds('run_status=failed&run_ended_after=2040-01-01T00:00:00Z')).toBe(true);
    expect(await finds('run_status=failed&run_ended_after=2040-01-01T00:00:01Z')).toBe(false);
    expect(await finds('run_status=succeeded&run_ended_after=2040-01-01T00:00:00Z')).toBe(false);
  });

  it('uses only the newest run per channel of a replayed message', async () => {
    const { token, environmentId } = await world.environment();
    const { message_id: id, delivery_runs: runs } = await post(token);
    await failOnce(runs[0]?.id ?? '');
    expect(await search(environmentId, 'error_code=webhook_timeout')).toEqual([id]);
    await world.api().post(`/api/v1/messages/${id}/replay`, token).expect(201);
    expect(await search(environmentId, 'error_code=webhook_timeout')).toEqual([]);
    expect(await search(environmentId, 'run_status=failed')).toEqual([]);
    expect(await search(environmentId, 'run_status=queued')).toEqual([id]);
  });

  it('shows nothing of another environment', async () => {
    const { token, channels } = await world.environment();
    await post(token);
    const other = await world.environment();
    expect(await search(other.environmentId)).toEqual([]);
    const channelId = formatId('chn', channels[0]?.id ?? '');
    expect(await search(other.environmentId, `channel_id=${channelId}`)).toEqual([]);
  });

  it.each(['env_01h455vb4pex5vsknk084sn02q', 'ten_01h455vb4pex5vsknk084sn02q', 'x', '%00'])(
    'answers 404 for the environment %s',
    async (id) => {
      const { body } = await world.api().admin('get', `/admin/v1/environments/${id}/messages`).expect(404);
      expect(body.error.code).toBe('environment_not_found');
    },
  );

  it('responds with 422 and every invalid parameter', async () => {
    const { environmentId } = await world.environment();
    const query = 'run_status=sent&channel_id=1&channel_kind=sms&error_code=oops&status=x&limit=0&extra=1';
    const { body } = await world
      .api()
      .admin('get', `${pathOf(environmentId)}?${query}`)
      .expect(422);
    expect(body.error.details.map(({ path }: { path: string }) => path).sort()).toEqual([
      '/channel_id',
      '/channel_kind',
      '/error_code',
      '/extra',
      '/limit',
      '/run_status',
      '/status',
    ]);
  });
});

describe('GET /admin/v1/environments/{id}/messages/{message}', () => {
  it('and its deliveries are as in the public API', async () => {
    const { token, environmentId } = await world.environment();
    const { message_id: id } = await post(token);
    for (const path of [`/${id}`, `/${id}/deliveries`]) {
      const ofAdmin = await world
        .api()
        .admin('get', `${pathOf(environmentId)}${path}`)
        .expect(200);
      expect(ofAdmin.body).toEqual((await world.api().get(`/api/v1/messages${path}`, token)).body);
    }
  });

  it('responds with 404 for a message of another environment, and for a malformed id', async () => {
    const { token } = await world.environment();
    const { message_id: id } = await post(token);
    const other = await world.environment();
    for (const path of [`/${id}`, `/${id}/deliveries`, '/x', '/x/deliveries', '/%00']) {
      const { body } = await world
        .api()
        .admin('get', `${pathOf(other.environmentId)}${path}`)
        .expect(404);
      expect(body.error.code).toBe('message_not_found');
    }
  });
});
