import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import { loadSite } from '../../src/console/files.ts';
import type { TestApi } from '../support/api.ts';
import { useApi } from '../support/database.ts';

const world = useApi();
const directory = mkdtempSync(join(tmpdir(), 'postrider-console-'));
const SCRIPT = `console.log(${JSON.stringify('x'.repeat(2_000))});`;
const PAGE = '<!doctype html><html><head><script src="./assets/index-abc.js"></script></head></html>';
let api: TestApi;

beforeAll(async () => {
  mkdirSync(join(directory, 'assets'));
  writeFileSync(join(directory, 'index.html'), PAGE);
  const script = join(directory, 'assets', 'index-abc.js');
  writeFileSync(script, SCRIPT);
  writeFileSync(`${script}.br`, brotliCompressSync(SCRIPT));
  writeFileSync(`${script}.gz`, gzipSync(SCRIPT));
  for (const frame of ['frame.html', 'frame-images.html'])
    writeFileSync(join(directory, frame), '<!doctype html>');
  writeFileSync(join(directory, 'notes.secret'), 'not served');
  const files = loadSite(directory);
  api = await world.more({ console: { files, traceUrlTemplate: null } });
});
afterAll(() => rmSync(directory, { recursive: true }));

/** The raw bytes; other clients decompress them. */
async function fetchRaw(path: string, coding: string) {
  const sent = request(new URL(path, api.url), { headers: { 'Accept-Encoding': coding } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { headers: response.headers, body: await buffer(response) };
}
const get = (path: string) => supertest(api.url).get(path);

describe('the page of the console', () => {
  it('is at /console/, to which /console redirects below any prefix', async () => {
    const response = await get('/console/').expect(200);
    expect(response.text).toBe(PAGE);
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(response.headers['cache-control']).toBe('no-cache');
    const redirect = await get('/console').expect(308);
    expect(redirect.headers.location).toBe('console/');
  });

  it('may only load, request and frame its own origin, and nothing inline', async () => {
    const { headers } = await get('/console/').expect(200);
    const policy = String(headers['content-security-policy']);
    for (const directive of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
    ]) {
      expect(policy).toContain(directive);
    }
    expect(policy).not.toContain('unsafe');
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  it('is downloaded again only if it has changed', async () => {
    const { headers } = await get('/console/').expect(200);
    await get('/console/').set('If-None-Match', String(headers.etag)).expect(304);
  });

  it.each(['assets/index-old.js', 'assets/index-abc.js.br', 'notes.secret', '%2e%2e/package.json', 'a/b'])(
    'is not sent for an unknown path: %s',
    async (path) => {
      await get(`/console/${path}`).expect(404);
    },
  );

  it('allows no other method', async () => {
    const response = await supertest(api.url).post('/console/').expect(405);
    expect(response.headers.allow).toBe('GET, HEAD, OPTIONS');
  });
});

describe('a file of the console', () => {
  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
    ['identity', (bytes: Buffer) => bytes],
  ])('is compressed as the browser accepts it, and cached permanently: %s', async (coding, decode) => {
    const { headers, body } = await fetchRaw('/console/assets/index-abc.js', coding);
    expect(headers['content-encoding']).toBe(coding === 'identity' ? undefined : coding);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers.vary).toBe('Accept-Encoding');
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(decode(body).toString()).toBe(SCRIPT);
  });

  it('has one ETag per encoding', async () => {
    const tagOf = async (coding: string) =>
      (await get('/console/assets/index-abc.js').set('Accept-Encoding', coding)).headers.etag;
    expect(new Set([await tagOf('gzip'), await tagOf('identity')]).size).toBe(2);
  });
});

describe('the frame for untrusted HTML', () => {
  it.each([
    ['frame.html', 'data:;'],
    ['frame-images.html', 'data: https: http:;'],
  ])('runs nothing, sends no requests, and loads only these images: %s %s', async (name, images) => {
    const { headers } = await get(`/console/${name}`).expect(200);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`img-src ${images}`);
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).not.toMatch(/script-src|connect-src|frame-src/);
  });
});

describe('without a console', () => {
  it('its address does not exist', async () => {
    const off = await world.more({ console: null });
    await supertest(off.url).get('/console/').expect(404);
  });
});
