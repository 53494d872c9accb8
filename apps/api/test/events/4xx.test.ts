import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { describe, expect, it } from '@postrider/testing';
import { anEvent } from '../support/api.ts';
import { useApi } from '../support/database.ts';

const world = useApi();
const PATH = '/api/v1/events';

/** Sends a body in chunks, without a Content-Length. */
function postChunked(token: string, chunks: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${world.api().url}${PATH}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    request.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on('error', reject);
    for (const chunk of chunks) request.write(chunk);
    request.end();
  });
}

describe('POST /api/v1/events, 400', () => {
  it('answers idempotency_key_required without an Idempotency-Key', async () => {
    const { token } = await world.environment();
    const response = await world.api().post(PATH, token).send(anEvent());
    expect(response.status).toBe(400);
    expect(response.body.error.code).toBe('idempotency_key_required');
  });

  it.each([
    'abc',
    '00000000-0000-0000-0000-000000000000',
    'f47ac10b58cc43728567 0e02b2c3d479',
    'f47ac10b-58cc-4372-8567-0e02b2c3d479, f47ac10b-58cc-4372-8567-0e02b2c3d479',
  ])('answers idempotency_key_invalid to the key %j', async (key) => {
    const { token } = await world.environment();
    const response = await world.api().postEvent(token, anEvent(), key);
    expect(response.status).toBe(400);
    expect(response.body.error.code).toBe('idempotency_key_invalid');
  });

  it.each([
    ['no JSON', '{'],
    ['an empty body', ''],
    ['a NUL', JSON.stringify(anEvent({ payload: { a: '\u0000' } }))],
    ['a lone surrogate', '{"event_key":"a.b","recipient":{},"payload":{"a":"\\ud800"}}'],
    ['a lone surrogate in a key', '{"event_key":"a.b","recipient":{},"payload":{"\\udc00":1}}'],
    ['a number that no double holds', '{"event_key":"a.b","recipient":{},"payload":{"a":1e400}}'],
    ['33 levels', `{"payload":${'['.repeat(32)}${']'.repeat(32)}}`],
    ['100,000 levels', '['.repeat(100_000)],
  ])('answers invalid_json to %s, without quoting it', async (_what, body) => {
    const { token } = await world.environment();
    const response = await world.api().postEvent(token, body);
    expect(response.status).toBe(400);
    expect(response.body.error.code).toBe('invalid_json');
    expect(response.body.error.details).toBeUndefined();
  });

  it('responds with invalid_json to a body that is not UTF-8', async () => {
    const { token } = await world.environment();
    const body = Buffer.concat([Buffer.from('{"event_key":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    const response = await fetch(`${world.api().url}${PATH}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body,
    });
    expect(response.status).toBe(400);
  });
});

describe('POST /api/v1/events, 401', () => {
  it('answers a missing, malformed, unknown, revoked and expired token with the same body', async () => {
    const known = await world.environment();
    const revoked = await world.environment();
    await world.db().token.update({ where: { id: revoked.tokenId }, data: { revokedAt: new Date() } });
    const expired = await world.environment();
    await world.db().token.update({ where: { id: expired.tokenId }, data: { expiresAt: new Date(0) } });
    const wrong = known.token.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    const headers = [
      undefined,
      'Bearer',
      'Bearer ',
      `Basic ${known.token}`,
      known.token,
      `Bearer ${wrong}`,
      'Bearer pr_development_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
      `Bearer ${known.token} x`,
      `Bearer ${revoked.token}`,
      `Bearer ${expired.token}`,
    ];
    const bodies = new Set<string>();
    for (const header of headers) {
      const request = world.api().post(PATH).send(anEvent());
      const response = await (header === undefined ? request : request.set('Authorization', header));
      expect(response.status).toBe(401);
      expect(response.headers['www-authenticate']).toBe('Bearer');
      expect(response.body.error.code).toBe('unauthorized');
      bodies.add(response.text);
    }
    expect(bodies.size).toBe(1);
  });

  it('accepts the scheme in any case', async () => {
    const { token } = await world.environment();
    const response = await world.api().get('/api/v1/limits').set('Authorization', `bearer ${token}`);
    expect(response.status).toBe(200);
  });

  it('does not query a token with a wrong checksum', async () => {
    const refuseToAsk = () => Promise.reject(new Error('asked'));
    const { snapshots } = world.api().deps;
    const api = await world.more({ snapshots: { ...snapshots, token: refuseToAsk } });
    const response = await api.get('/api/v1/limits', 'pr_development_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa');
    expect(response.status).toBe(401);
  });
});

describe('POST /api/v1/events, 413 and 415', () => {
  it('answers payload_too_large beyond 256 KiB, with and without a Content-Length', async () => {
    const { token } = await world.environment();
    const large = JSON.stringify(anEvent({ payload: { filler: 'x'.repeat(256 * 1024) } }));
    const response = await world.api().postEvent(token, large);
    expect(response.status).toBe(413);
    expect(response.body.error.code).toBe('payload_too_large');
    expect(await postChunked(token, [large.slice(0, 200_000), large.slice(200_000)])).toBe(413);
  });

  it('answers payload_too_large beyond the limit of the plan', async () => {
    const { token } = await world.environment({ plan: { maxPayloadBytes: 300 } });
    const large = anEvent({ payload: { filler: 'x'.repeat(300) } });
    expect((await world.api().postEvent(token, large)).status).toBe(413);
    expect((await world.api().postEvent(token)).status).toBe(201);
  });

  it('lets a plan raise the limit only for files', async () => {
    const { token } = await world.environment({ plan: { maxPayloadBytes: 10_000_000 } });
    const large = anEvent({ payload: { filler: 'x y '.repeat(64 * 1024) } });
    expect((await world.api().postEvent(token, large)).status).toBe(413);
  });

  it.each([
    ['another type', 'text/plain', undefined, /as application\/json/],
    ['a type that only looks like it', 'application/jsonp', undefined, /as application\/json/],
    ['another charset', 'application/json; charset=utf-16', undefined, /charset other than UTF-8/],
    ['a form', 'application/x-www-form-urlencoded', undefined, /as application\/json/],
    ['a content coding', 'application/json', 'gzip', /compressed.*Content-Encoding.*uncompressed/],
  ])('answers unsupported_media_type with the reason to %s', async (_what, type, coding, reason) => {
    const { token } = await world.environment();
    const request = world.api().postEvent(token).set('Content-Type', type);
    const response = await (coding === undefined ? request : request.set('Content-Encoding', coding));
    expect(response.status).toBe(415);
    expect(response.body.error).toMatchObject({
      code: 'unsupported_media_type',
      message: expect.stringMatching(reason),
    });
  });

  it('answers unsupported_media_type to a request without a type', async () => {
    const { token } = await world.environment();
    const response = await world.api().post(PATH, token);
    expect(response.status).toBe(415);
  });
});
