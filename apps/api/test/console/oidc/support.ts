import type { OidcProvider } from '@postrider/config';
import { chooseFreePort } from '@postrider/rig/servers';
import { afterAll, beforeAll, expect } from '@postrider/testing';
import supertest from 'supertest';
import { type Agent, createAgent, signInAtProvider } from '../../support/agent.ts';
import type { TestApi } from '../../support/api.ts';
import { useApi } from '../../support/database.ts';
import { type Person, startOidcProvider, type TestProvider } from '../../support/oidc-provider.ts';

/** The configuration of a provider for the tests. */
const configured = (id: string, { issuer, clientSecret }: TestProvider): OidcProvider => ({
  id,
  name: id,
  issuer,
  clientId: 'postrider',
  clientSecret,
  scopes: ['openid', 'email', 'profile', 'groups'],
  groupsClaim: 'groups',
  groups: [
    { group: 'admins', role: 'admin', tenantIds: null, environmentIds: null },
    { group: 'support', role: 'support', tenantIds: [], environmentIds: null },
    { group: 'strange', role: 'no-such-role', tenantIds: null, environmentIds: null },
  ],
  emailDomains: ['example.com'],
  trustsEmail: false,
  recheckSeconds: 60,
  sessionSeconds: 3_600,
});

/** A URL of the console's page, where every sign-in ends. */
export const CONSOLE = /\/console\/(#.*)?$/;

/** The fragment of the console's URL after a sign-in that failed. */
export const failure = (why: string, id = 'one') => `#sign-in=${why}&provider=${id}`;

/** A person at a provider, in the group of admins. */
export const person = (name: string, changes: Partial<Person> = {}): Person => ({
  email: `${name}@example.com`,
  name,
  groups: ['admins'],
  ...changes,
});

/**
 * An API with two providers: `one` has claims in the ID token and refresh tokens; `two` has claims at its userinfo endpoint alone.
 * `ada` is an admin at both.
 */
export function useProviders() {
  const world = useApi();
  let one: TestProvider;
  let two: TestProvider;
  let api: TestApi;

  const consoleOptions = () => ({
    files: null,
    traceUrlTemplate: null,
    providers: [configured('one', one), configured('two', two)],
  });
  beforeAll(async () => {
    const port = await chooseFreePort();
    const consoleUrl = `http://127.0.0.1:${port}/console`;
    [one, two] = await Promise.all([
      startOidcProvider({ consoleUrl, id: 'one' }),
      startOidcProvider({ consoleUrl, id: 'two', onlyUserinfo: true, refreshTokens: false }),
    ]);
    api = await world.more({ console: consoleOptions() }, port);
    for (const each of [one, two]) each.people.set('ada', person('ada'));
  });
  afterAll(async () => {
    for (const each of [one, two]) each.setFault(null);
    await Promise.all([one.close(), two.close()]);
  });

  const startOf = (id = 'one') => `${api.url}/console/oidc/${id}/start`;
  return {
    db: world.db,
    api: () => api,
    provider: (id: 'one' | 'two' = 'one') => (id === 'one' ? one : two),
    configured: () => configured('one', one),
    startOf,
    /** Another process with the same providers. */
    more: () => world.more({ console: consoleOptions(), secretBox: api.deps.secretBox }),
    /** Where a sign-in leads: the fragment of the console's URL, empty if it succeeded. */
    async signIn(subject: string, id = 'one', agent: Agent = createAgent()): Promise<string> {
      const { url } = await signInAtProvider(agent, startOf(id), subject, CONSOLE);
      expect(url.startsWith(`${api.url}/console/`)).toBe(true);
      return new URL(url).hash;
    },
    async sessionOf(agent: Agent) {
      const cookie = agent.cookies(api.url);
      const response = await supertest(api.url).get('/console/session').set('Cookie', cookie);
      return { status: response.status, body: response.body };
    },
  };
}
