import { describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import { createOpenApiDocument } from '../src/openapi/document.ts';
import { createOpenApiRouter } from '../src/openapi/router.ts';
import { RESOURCES } from '../src/resources.ts';
import { useApi } from './support/database.ts';

const { api } = useApi({ openApi: createOpenApiRouter(RESOURCES) });
const get = (path: string) => supertest(api().url).get(path);

/** Every address in the page. */
const linksOf = (html: string) => [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link ?? '');

describe('GET /openapi.json', () => {
  it('answers 200 with the document, without a token, readable by other origins', async () => {
    const response = await get('/openapi.json').set('Origin', 'https://editor.example').expect(200);

    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.headers['access-control-allow-origin']).toBe('*');
    expect(response.body).toEqual(JSON.parse(JSON.stringify(createOpenApiDocument(RESOURCES))));
  });

  it('answers 405 to other methods', async () => {
    const response = await supertest(api().url).post('/openapi.json').expect(405);

    expect(response.headers.allow).toBe('GET, HEAD, OPTIONS');
    expect(response.body.error.code).toBe('method_not_allowed');
  });
});

describe('GET /llms.txt', () => {
  it('lists the interface and the pages of this version, and each is there', async () => {
    const { text, headers } = await get('/llms.txt').expect(200);
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);

    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text.length).toBeLessThan(10_000);
    expect(links).toContain('openapi.json');
    expect(links).toContain('docs/guides/quickstart-integrators.md');
    for (const link of links) await get(`/${link}`).expect(200);
    const page = await get('/docs/promises.md');
    expect(page.headers['content-type']).toBe('text/markdown; charset=utf-8');
    await get('/llms.txt')
      .set('If-None-Match', headers.etag ?? '')
      .expect(304);
  });

  it('serves no other file', async () => {
    for (const path of ['/docs/none.md', '/docs/guides/..%2f..%2fREADME.md', '/docs/decisions/README.md'])
      expect((await get(path).expect(404)).body.error.code).toBe('route_not_found');
  });
});

describe('GET /docs', () => {
  it('answers 200 with a page, without a token', async () => {
    const response = await get('/docs').expect(200);

    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(response.text).toContain('id="page"');
  });

  it('loads only existing files of this origin', async () => {
    const { text } = await get('/docs');
    const links = linksOf(text);

    expect(links.length).toBeGreaterThan(3);
    for (const link of links) {
      expect(link).toMatch(/^\/[^/]/);
      await get(link).expect(200);
    }
  });

  it('has no inline script, and a policy that forbids one', async () => {
    const { text, headers } = await get('/docs');

    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=/);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none';script-src 'self';style-src 'self' 'unsafe-inline';img-src 'self' data:;" +
        "connect-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'",
    );
  });

  it('does not relax the policy of other responses', async () => {
    for (const path of ['/openapi.json', '/docs/assets/start.js', '/api/v1/limits', '/elsewhere']) {
      const { headers } = await get(path);
      expect(headers['content-security-policy']).toBe("default-src 'none';frame-ancestors 'none'");
    }
  });

  it('answers 304 for a file that the browser has', async () => {
    const first = await get('/docs/assets/swagger-ui.css').expect(200);

    expect(first.headers['cache-control']).toBe('no-cache');
    await get('/docs/assets/swagger-ui.css').set('If-None-Match', String(first.headers.etag)).expect(304);
  });

  it('answers 404 for other files of the package, and outside of it', async () => {
    for (const path of ['package.json', 'index.html', '..%2fpackage.json', 'swagger-ui.js']) {
      const { body } = await get(`/docs/assets/${path}`).expect(404);
      expect(body.error.code).toBe('route_not_found');
    }
  });
});
