import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oidcProviders, oidcProvidersFile, readEnvironment } from '@postrider/config';
import { createUuidV7Source, formatId } from '@postrider/domain';
import { afterAll, describe, expect, it } from '@postrider/testing';

const directory = mkdtempSync(join(tmpdir(), 'postrider-oidc-'));
afterAll(() => rmSync(directory, { recursive: true }));

const SECRET = 'a-client-secret-that-is-never-shown';
const tenantId = createUuidV7Source()();
const PROVIDER = {
  id: 'okta',
  name: 'Okta',
  issuer: 'https://example.okta.com',
  client_id: 'postrider',
  client_secret: SECRET,
  groups: [{ group: 'admins', role: 'admin' }],
};

function read(providers: unknown, nodeEnv = 'production') {
  const text = typeof providers === 'string' ? providers : JSON.stringify(providers);
  const result = readEnvironment({ oidcProviders }, { OIDC_PROVIDERS: text, NODE_ENV: nodeEnv });
  return result.ok ? result.config.oidcProviders : result.issues;
}

describe('OIDC_PROVIDERS', () => {
  it('has defaults for all but the client, the issuer and the groups', () => {
    expect(read([PROVIDER])).toEqual([
      {
        id: 'okta',
        name: 'Okta',
        issuer: 'https://example.okta.com',
        clientId: 'postrider',
        clientSecret: SECRET,
        scopes: ['openid', 'email', 'profile'],
        groupsClaim: 'groups',
        groups: [{ group: 'admins', role: 'admin', tenantIds: null, environmentIds: null }],
        emailDomains: null,
        trustsEmail: false,
        recheckSeconds: 600,
        sessionSeconds: 3_600,
      },
    ]);
  });

  it('reads bounds as ids and domains in lower case, and always asks for openid', () => {
    const groups = [{ group: 'acme', role: 'support', tenants: [formatId('ten', tenantId)] }];
    const given = { ...PROVIDER, groups, scopes: ['groups'], email_domains: ['Example.COM'] };
    expect(read([given])).toMatchObject([
      {
        scopes: ['openid', 'groups'],
        groups: [{ tenantIds: [tenantId], environmentIds: null }],
        emailDomains: ['example.com'],
      },
    ]);
  });

  it('reports all errors at once with their places, and no value', () => {
    const issues = read([
      {
        ...PROVIDER,
        issuer: 'http://example.okta.com',
        groups: [{ group: 'a', role: 'x', tenants: ['acme'] }],
      },
      { ...PROVIDER, client_secret: SECRET },
    ]);
    expect(issues).toEqual([
      'OIDC_PROVIDERS at /0/issuer must be an https:// URL without a query (http:// outside production)',
      'OIDC_PROVIDERS at /0/groups/0/tenants must have ids of tenants, ten_…',
      'OIDC_PROVIDERS at /1/id must be a different name: this one is taken',
    ]);
    const malformed = read([{ ...PROVIDER, client_secret: 7, secret: SECRET, groups: [] }]);
    expect(malformed).toEqual([
      'OIDC_PROVIDERS at /0 has the unknown field "secret"',
      'OIDC_PROVIDERS at /0/client_secret must be string',
      'OIDC_PROVIDERS at /0/groups must NOT have fewer than 1 items',
    ]);
    expect(JSON.stringify([issues, malformed, read(`[${SECRET}`)])).not.toContain(SECRET);
  });

  it.each([
    ['not JSON', `{"client_secret": "${SECRET}"`, ['OIDC_PROVIDERS must be JSON: a list of providers']],
    ['no list', PROVIDER, ['OIDC_PROVIDERS must be array']],
    ['the name of local operators', [{ ...PROVIDER, id: 'local' }], [expect.stringContaining('/0/id')]],
    [
      'an issuer with a query',
      [{ ...PROVIDER, issuer: 'https://x.test/?a=b' }],
      [expect.stringContaining('issuer')],
    ],
    [
      'a password in the issuer',
      [{ ...PROVIDER, issuer: 'https://u:p@x.test' }],
      [expect.stringContaining('issuer')],
    ],
  ])('refuses %s', (_what, providers, issues) => {
    expect(read(providers)).toEqual(issues);
  });

  it('takes http outside production', () => {
    expect(read([{ ...PROVIDER, issuer: 'http://127.0.0.1:9000' }], 'test')).toMatchObject([{ id: 'okta' }]);
  });
});

describe('OIDC_PROVIDERS_FILE', () => {
  const readFile = (path: string) => {
    const result = readEnvironment({ oidcProvidersFile }, { OIDC_PROVIDERS_FILE: path });
    return result.ok ? result.config.oidcProvidersFile : result.issues;
  };

  it('has the same content', () => {
    const path = join(directory, 'providers.json');
    writeFileSync(path, JSON.stringify([PROVIDER]));
    expect(readFile(path)).toMatchObject([{ id: 'okta', clientSecret: SECRET }]);
  });

  it('must be a readable file of bounded size', () => {
    const large = join(directory, 'large.json');
    writeFileSync(large, ' '.repeat(256 * 1_024 + 1));
    const refusal = ['OIDC_PROVIDERS_FILE must name a readable file of at most 256 KiB'];
    for (const path of [large, directory, join(directory, 'missing.json')])
      expect(readFile(path)).toEqual(refusal);
  });
});
