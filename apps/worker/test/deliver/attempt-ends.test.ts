import { status } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { deadlock, lost, useAttempts } from '../support/attempts.ts';

const { claimedRun, setUp } = useAttempts();

describe('an attempt whose result PostgreSQL refuses', () => {
  const refused = () => Object.assign(new Error('integer out of range'), { code: '22003' });

  it.each([
    [200, { status: 'succeeded', error: null, next: { status: 'succeeded' } }],
    [500, { status: 'failed', error: { code: 'webhook_http_error' }, next: { status: 'retrying' } }],
  ])('keeps its status without what the receiver sent (HTTP %i)', async (code, kept) => {
    const failure = refused();
    const { attempt, finishes, failures } = setUp({ finish: [failure, lost(), 'finished'] });
    expect(await attempt(claimedRun(`/refused/${code}`, status(code)))).toMatchObject({
      written: 'finished',
    });
    expect(finishes.map(({ outcome }) => outcome.response?.statusCode)).toEqual([code, undefined, undefined]);
    expect(finishes[2]?.outcome).toMatchObject({ ...kept, response: null, sent: finishes[0]?.outcome.sent });
    expect(failures).toEqual([failure]);
  });

  it('is not written if that is also refused', async () => {
    const { attempt, finishes } = setUp({ finish: [refused(), refused()] });
    await expect(attempt(claimedRun('/refused/twice', status(200)))).rejects.toThrow('integer out of range');
    expect(finishes).toHaveLength(2);
  });
});

describe('an attempt whose endpoint is gone', () => {
  const GONE = { error: { code: 'webhook_endpoint_gone' }, next: { status: 'failed' } };

  it('stores its result once, together with the change of the channel', async () => {
    const run = claimedRun('/gone', status(410));
    const { attempt, finishes, disables } = setUp();
    expect(await attempt(run)).toMatchObject({ written: 'finished' });
    expect(disables).toMatchObject([{ run, outcome: GONE }]);
    expect(finishes).toEqual([]);
  });

  it('stores its result even if the channel cannot be stopped, and reports why', async () => {
    const failure = new Error('no audit log');
    const run = claimedRun('/gone-broken', status(410));
    const { attempt, finishes, disables, failures } = setUp({
      disable: [failure],
      finish: [lost(), 'finished'],
    });
    expect(await attempt(run)).toMatchObject({ written: 'finished' });
    expect(disables).toHaveLength(1);
    expect(failures).toEqual([failure]);
    expect(finishes).toMatchObject([
      { run, outcome: GONE },
      { run, outcome: GONE },
    ]);
  });

  it.each([
    ['an outage', lost],
    ['a deadlock', deadlock],
  ])('retries both after %s', async (name, error) => {
    const { attempt, finishes, disables, failures } = setUp({ disable: [error(), 'finished'] });
    const run = claimedRun(`/gone/${encodeURIComponent(name)}`, status(410));
    expect(await attempt(run)).toMatchObject({ written: 'finished' });
    expect(disables).toHaveLength(2);
    expect([finishes, failures]).toEqual([[], []]);
  });
});
