import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import { loadSite } from '../../src/console/files.ts';
import type { TestApi } from '../support/api.ts';
import { useApi } from '../support/database.ts';
import { createProduct } from './support.ts';

const world = useApi();
const directory = mkdtempSync(join(tmpdir(), 'postrider-portal-'));
let api: TestApi;

beforeAll(async () => {
  mkdirSync(join(directory, 'assets'));
  writeFileSync(join(directory, 'index.html'), '<!doctype html>');
  writeFileSync(join(directory, 'assets', 'index-abc.js'), 'void 0;');
  api = await world.more({ portal: loadSite(directory) });
});
afterAll(() => rmSync(directory, { recursive: true }));

const page = (query = '') => supertest(api.url).get(`/portal/${query}`);
const policyOf = async (query: string) => {
  const { headers } = await page(query).expect(200);
  return Object.fromEntries(
    String(headers['content-security-policy'])
      .split(';')
      .map((directive) => directive.split(/ (.*)/s, 2)),
  ) as Record<string, string>;
};

describe('the page of the portal', () => {
  it('may be framed by the origins of its environment, and by no other page', async () => {
    const { admin } = await createProduct(world);
    const environment = `?environment=${admin.split('/').at(-1)}`;
    expect(await policyOf('')).toMatchObject({ 'frame-ancestors': "'none'", 'script-src': "'self'" });
    expect((await policyOf('?environment=env_01h455vb4pex5vsknk084sn02q'))['frame-ancestors']).toBe("'none'");
    expect((await policyOf('?environment=x&environment=y'))['frame-ancestors']).toBe("'none'");
    const origins = ['https://app.example.com', 'http://localhost:8080'];
    const theme = { logo_url: 'https://cdn.example.com/logo.svg' };
    const { body } = await world.api().admin('patch', admin, { portal: { origins, theme } }).expect(200);
    expect(body.portal).toMatchObject({
      origins,
      locale: null,
      theme: { mode: 'auto', ...theme, accent: null },
    });
    const policy = await policyOf(environment);
    expect(policy['frame-ancestors']).toBe(`'self' ${origins.join(' ')}`);
    expect(policy['img-src']).toBe(`'self' data: ${origins.join(' ')} https://cdn.example.com`);
    expect(policy['default-src']).toBe("'none'");
    const { headers } = await page(environment).expect(200);
    expect(headers['x-frame-options']).toBeUndefined();
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['set-cookie']).toBeUndefined();
  });

  it('keeps its query when the slash is left out', async () => {
    const { headers } = await supertest(api.url).get('/portal?environment=env_1').expect(308);
    expect(headers.location).toBe('portal/?environment=env_1');
    await supertest(api.url).post('/portal/').expect(405);
  });

  it.each([
    'https://app.example.com/',
    'http://app.example.com',
    'https://*.example.com',
    'https://a;script-src',
    "https://a 'unsafe-inline'",
    'javascript:alert(1)',
    'null',
    "'self'",
    'https://user@example.com',
  ])('refuses what is not exactly an origin: %s', async (origin) => {
    const { admin } = await createProduct(world);
    await world
      .api()
      .admin('patch', admin, { portal: { origins: [origin] } })
      .expect(422);
  });
});
