import { formatId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { useApi } from '../support/database.ts';

const world = useApi();

async function anEnvironment() {
  const { environmentId } = await world.environment();
  const id = formatId('env', environmentId);
  const environmentPath = `/admin/v1/environments/${id}`;
  return { id, environmentId, environmentPath, path: `${environmentPath}/paused-streams` };
}
const pause = (environmentId: string, stream: string) => world.db().$executeRaw`
  INSERT INTO stream_pauses (environment_id, stream, paused_at, delivered, complained)
  VALUES (${environmentId}::uuid, ${stream}, now(), 1250, 5)`;
const get = (path: string) => world.api().admin('get', path);
const resume = (path: string, stream: string) => world.api().admin('post', `${path}/${stream}/resume`);

describe('GET /admin/v1/environments/{id}/paused-streams', () => {
  it('lists the paused streams of the environment by their names, in pages', async () => {
    const { id, environmentId, path } = await anEnvironment();
    for (const stream of ['tips', 'news']) await pause(environmentId, stream);
    await pause((await anEnvironment()).environmentId, 'other');
    const { body } = await get(`${path}?limit=1`).expect(200);
    expect(body.data).toEqual([
      {
        environment_id: id,
        stream: 'news',
        paused_at: expect.any(String),
        resumed_at: null,
        delivered: 1_250,
        complained: 5,
        waiting: 0,
      },
    ]);
    const next = await get(`${path}?limit=1&cursor=${body.next_cursor}`).expect(200);
    expect(next.body).toMatchObject({ data: [{ stream: 'tips' }], has_more: false });
  });
});

describe('POST /admin/v1/environments/{id}/paused-streams/{stream}/resume', () => {
  it('ends the pause once, under the name of the operator', async () => {
    const { environmentId, path } = await anEnvironment();
    await pause(environmentId, 'news');
    const { body } = await resume(path, 'news').set('x-actor', 'ada').expect(200);
    expect(body).toMatchObject({ stream: 'news', resumed_at: expect.any(String) });
    expect((await resume(path, 'news').expect(200)).body).toEqual(body);
    expect((await get(path).expect(200)).body.data).toEqual([]);
    const where = { environmentId, action: 'stream.resumed' };
    expect(await world.db().auditEntry.findMany({ where })).toMatchObject([
      { actor: 'ada', resourceType: 'stream', resourceId: 'news' },
    ]);
  });

  it('responds with 404 for streams that are not paused, here or at all', async () => {
    const [{ path }, other] = [await anEnvironment(), await anEnvironment()];
    await pause(other.environmentId, 'news');
    for (const stream of ['news', 'all', 'Two%20Words']) {
      const { body } = await resume(path, stream).expect(404);
      expect(body.error.code).toBe('stream_not_found');
    }
    const missing = path.replace(/env_\w+/, 'env_01h455vb4pex5vsknk084sn02q');
    expect((await resume(missing, 'news').expect(404)).body.error.code).toBe('environment_not_found');
  });
});

describe('pause_streams_at_complaint_rate', () => {
  it('is a share above 0, and null by default', async () => {
    const { environmentPath } = await anEnvironment();
    const patch = (rate: unknown) =>
      world.api().admin('patch', environmentPath, { pause_streams_at_complaint_rate: rate });
    expect((await get(environmentPath)).body.pause_streams_at_complaint_rate).toBeNull();
    expect((await patch(0.003).expect(200)).body.pause_streams_at_complaint_rate).toBe(0.003);
    for (const rate of [0, 1.1, -1, '0.003', true]) await patch(rate).expect(422);
    expect((await get(environmentPath)).body.pause_streams_at_complaint_rate).toBe(0.003);
    expect((await patch(null).expect(200)).body.pause_streams_at_complaint_rate).toBeNull();
  });
});
