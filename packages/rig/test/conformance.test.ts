import { startConformanceServer } from '@postrider/rig/conformance';
import { afterAll, describe, expect, it } from '@postrider/testing';

const server = await startConformanceServer();
afterAll(() => server.close());

const control = async (path: string, body: unknown) => {
  const init = { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(`${server.url}/conformance/${path}`, init);
  return (await answer.json()) as { readonly token: string; readonly problems: string[] };
};

const KEY = '0d4cc4a5-6b0f-4a53-9a52-6a3f6d2f9b11';
const ACCEPTED = {
  result: { message_id: 'msg_01kb2t5rwhffh8rkc5f0m1ek9q', status: 'pending', delivery_runs: [] },
};
const OTHER_KEY = '0d4cc4a5-6b0f-4a53-9a52-6a3f6d2f9b12';

/** Sends a try for each key without any wait, and returns the problems that the server finds with the case. */
async function problemsOf(name: string, tries: readonly { key: string; body: string }[], outcome: unknown) {
  const { token } = await control('runs', { case: name });
  for (const { key, body } of tries) {
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': key };
    await fetch(`${server.url}/api/v1/events`, { method: 'POST', headers, body });
  }
  return (await control('outcomes', { token, outcomes: [outcome] })).problems;
}

describe('the conformance suite', () => {
  it('finds another key, other bytes, and a try too few or too many', async () => {
    const name = 'retries: tries again after 503';
    const [one, two] = [
      { key: KEY, body: '{"n":1}' },
      { key: OTHER_KEY, body: '{"n":2}' },
    ];

    expect(await problemsOf(name, [one, one], ACCEPTED)).toEqual([]);
    expect(await problemsOf(name, [one, { ...one, key: OTHER_KEY }], ACCEPTED)).toEqual([
      'the tries of a call had 2 idempotency keys',
    ]);
    expect(await problemsOf(name, [one, { ...one, body: two.body }], ACCEPTED)).toEqual([
      'the tries of a call had different bytes',
    ]);
    expect(await problemsOf(name, [one], ACCEPTED)).toEqual(['expected 2 requests, not 1']);
    expect(await problemsOf(name, [one, one, one], ACCEPTED)).toEqual(['expected 2 requests, not 3']);
  });

  it('finds a client that does not wait for Retry-After', async () => {
    const name = 'retries: waits at least for Retry-After in seconds';
    const one = { key: KEY, body: '{}' };

    expect(await problemsOf(name, [one, one], ACCEPTED)).toEqual([
      expect.stringMatching(/^waited \d+ ms after requests\[0\], less than 1000 ms$/),
    ]);
  });

  it('finds a result and an error that are not those of the answers', async () => {
    const one = { key: KEY, body: '{}' };
    expect(
      await problemsOf('retries: tries again after 503', [one, one], { error: { kind: 'api' } }),
    ).toEqual([expect.stringMatching(/^outcomes\[0\]\.result/)]);
    const outcome = {
      error: { kind: 'api', status: 404, code: 'quota_exceeded', idempotency_key: OTHER_KEY },
    };
    expect(await problemsOf('retries: does not try again after 402 of the quota', [one], outcome)).toEqual([
      `outcomes[0].error.idempotency_key: expected "${KEY}", not "${OTHER_KEY}"`,
    ]);
  });

  it('finds a connection that is left open', async () => {
    const { token } = await control('runs', {
      case: 'streams: closes its connection when its reader leaves',
    });
    const headers = { authorization: `Bearer ${token}` };
    // Used below: the connection of a response that was garbage-collected is closed.
    const response = await fetch(`${server.url}/api/v1/stream`, { headers });
    const { problems } = await control('outcomes', { token, outcomes: [{ result: [] }] });
    await response.body?.cancel();

    expect(problems).toEqual(['the client left a connection open']);
  });
});
