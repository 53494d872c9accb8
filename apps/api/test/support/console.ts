import supertest from 'supertest';
import { isDocumented } from '../openapi-conformance.ts';
import { ADMIN_TOKEN, type TestApi } from './api.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** A browser that is signed in: its cookie and its CSRF token, and requests with them. */
export interface Browser {
  readonly cookie: string;
  readonly csrfToken: string;
  readonly session: Record<string, unknown> & { readonly id: string };
  readonly request: (method: Method, path: string) => supertest.Test;
}

export const signIn = (api: Pick<TestApi, 'url'>, body: Record<string, unknown>) =>
  supertest(api.url).post('/console/session').send(body);

/** Signs in with a token of an environment, or with the admin token when none is given. */
export async function openBrowser(api: Pick<TestApi, 'url'>, token = ADMIN_TOKEN): Promise<Browser> {
  const response = await signIn(api, { token }).expect(201);
  const cookie = String(response.headers['set-cookie']).split(';', 1)[0] ?? '';
  const csrfToken = response.body.csrf_token;
  return {
    cookie,
    csrfToken,
    session: response.body,
    request: (method, path) =>
      supertest(api.url)
        [method](path)
        .set({ Cookie: cookie, 'X-CSRF-Token': csrfToken, 'Sec-Fetch-Site': 'same-origin' })
        .expect(isDocumented),
  };
}
