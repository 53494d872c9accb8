import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type BodyOf, fields, parseId } from '@postrider/domain';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { accepted, type Field, optional, type Parsed, refused } from './read-environment.ts';

/** The rights that members of a group of a provider have. Ids are UUIDs; both lists null: no bounds. */
export interface OidcGroup {
  readonly group: string;
  /** The code of a role. Whether an installation's own role exists is known at sign-in. */
  readonly role: string;
  readonly tenantIds: readonly string[] | null;
  readonly environmentIds: readonly string[] | null;
}

/** An OpenID provider by which operators sign in. */
export interface OidcProvider {
  /** Names the provider in URLs and as the source of its operators. */
  readonly id: string;
  /** For the button. */
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** With `openid`. */
  readonly scopes: readonly string[];
  /** The claim that lists the groups of a person. */
  readonly groupsClaim: string;
  /** The first group that a person is a member of decides. */
  readonly groups: readonly OidcGroup[];
  /** In lower case; null allows all. */
  readonly emailDomains: readonly string[] | null;
  /** Whether addresses count as verified without `email_verified`, for providers that leave it out. */
  readonly trustsEmail: boolean;
  /** How often the provider is asked again about an open session, in seconds. */
  readonly recheckSeconds: number;
  /** How long a session lasts that the provider does not confirm, in seconds. */
  readonly sessionSeconds: number;
}

const MAX_PROVIDERS = 16;
const MAX_BYTES = 256 * 1024;

const text = (maxLength: number, more: object = {}) =>
  ({ type: 'string', minLength: 1, maxLength, ...more }) as const;
const list = <Items extends object>(items: Items, more: object = {}) =>
  ({ type: 'array', items, minItems: 1, maxItems: 256, uniqueItems: true, ...more }) as const;
const minutes = (minimum: number, maximum: number, fallback: number) =>
  ({ type: 'integer', minimum, maximum, default: fallback }) as const;

const GROUP = fields.closedObject(['group', 'role'], {
  group: text(256),
  role: text(64, { pattern: '^[a-z0-9][a-z0-9_-]*$' }),
  tenants: list(text(64)),
  environments: list(text(64)),
});
const PROVIDER = fields.closedObject(
  [
    ...(['id', 'name', 'issuer', 'client_id', 'client_secret', 'groups'] as const),
    // Their defaults are set before this is checked.
    ...(['scopes', 'groups_claim', 'trust_email', 'recheck_minutes', 'session_minutes'] as const),
  ],
  {
    id: text(32, { pattern: '^[a-z0-9][a-z0-9-]*$' }),
    name: text(64),
    issuer: text(512),
    client_id: text(256),
    client_secret: text(1_024),
    scopes: list(text(64, { pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$' }), {
      default: ['openid', 'email', 'profile'],
    }),
    groups_claim: text(256, { default: 'groups' }),
    groups: list(GROUP, { uniqueItems: false }),
    email_domains: list(text(253, { pattern: '^[A-Za-z0-9.-]+$' })),
    trust_email: { type: 'boolean', default: false },
    recheck_minutes: minutes(1, 60, 10),
    session_minutes: minutes(5, 720, 60),
  },
);

type GivenProvider = BodyOf<typeof PROVIDER>;

const validate = new Ajv2020({ allErrors: true, useDefaults: true }).compile<readonly GivenProvider[]>(
  list(PROVIDER, { maxItems: MAX_PROVIDERS, uniqueItems: false }),
);

/** Says where and what, and no value: it may be a secret. */
function issueOf({ instancePath, keyword, message, params }: ErrorObject): string {
  const where = instancePath === '' ? '' : `at ${instancePath} `;
  return keyword === 'additionalProperties'
    ? `${where}has the unknown field ${JSON.stringify(params.additionalProperty).slice(0, 64)}`
    : `${where}${message}`;
}

/** The issuer without a query or fragment (OpenID Connect Discovery 1.0, section 3); http only outside production. */
function isIssuer(issuer: string, production: boolean): boolean {
  const url = URL.canParse(issuer) ? new URL(issuer) : null;
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && !production);
  return isAllowed && !url.username && !url.password && !/[?#]/.test(issuer);
}

function* issuesOf(providers: readonly GivenProvider[], production: boolean): Generator<string> {
  const ids = new Set<string>();
  for (const [index, { id, issuer, groups }] of providers.entries()) {
    if (ids.has(id) || id === 'local') yield `at /${index}/id must be a different name: this one is taken`;
    ids.add(id);
    if (!isIssuer(issuer, production))
      yield `at /${index}/issuer must be an https:// URL without a query (http:// outside production)`;
    for (const [position, { tenants = [], environments = [] }] of groups.entries()) {
      const where = `at /${index}/groups/${position}`;
      if (tenants.some((tenant) => parseId('ten', tenant) === null))
        yield `${where}/tenants must have ids of tenants, ten_…`;
      if (environments.some((environment) => parseId('env', environment) === null))
        yield `${where}/environments must have ids of environments, env_…`;
    }
  }
}

const uuidsOf = (prefix: 'ten' | 'env', ids: readonly string[] | undefined): readonly string[] | null =>
  ids?.flatMap((id) => parseId(prefix, id) ?? []) ?? null;

const toProvider = (given: GivenProvider): OidcProvider => ({
  id: given.id,
  name: given.name,
  issuer: given.issuer,
  clientId: given.client_id,
  clientSecret: given.client_secret,
  scopes: [...new Set(['openid', ...given.scopes])],
  groupsClaim: given.groups_claim,
  groups: given.groups.map(({ group, role, tenants, environments }) => ({
    group,
    role,
    tenantIds: uuidsOf('ten', tenants),
    environmentIds: uuidsOf('env', environments),
  })),
  emailDomains: given.email_domains?.map((domain) => domain.toLowerCase()) ?? null,
  trustsEmail: given.trust_email,
  recheckSeconds: given.recheck_minutes * 60,
  sessionSeconds: given.session_minutes * 60,
});

function parseProviders(json: string, production: boolean): Parsed<readonly OidcProvider[]> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return refused('must be JSON: a list of providers');
  }
  if (!validate(value)) return refused(...(validate.errors ?? []).map(issueOf));
  const issues = [...issuesOf(value, production)];
  return issues.length === 0 ? accepted(value.map(toProvider)) : refused(...issues);
}

/** The content of a file of at most {@link MAX_BYTES}; null if it cannot be read or is larger. */
function readSmall(path: string): string | null {
  try {
    const file = openSync(path, 'r');
    try {
      if (!fstatSync(file).isFile()) return null;
      const bytes = Buffer.alloc(MAX_BYTES + 1);
      const length = readSync(file, bytes);
      return length > MAX_BYTES ? null : bytes.toString('utf8', 0, length);
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

/** `OIDC_PROVIDERS`: providers as JSON (docs/configuration.md, "Providers for sign-in"); none by default. */
export const oidcProviders: Field<readonly OidcProvider[]> = optional<readonly OidcProvider[]>(
  'OIDC_PROVIDERS',
  [],
  (json, { production }) => parseProviders(json, production),
);

/** `OIDC_PROVIDERS_FILE`: the same in a file, for secrets that are mounted; none by default. */
export const oidcProvidersFile: Field<readonly OidcProvider[]> = optional<readonly OidcProvider[]>(
  'OIDC_PROVIDERS_FILE',
  [],
  (path, { production }) => {
    const json = readSmall(path);
    return json === null
      ? refused(`must name a readable file of at most ${MAX_BYTES / 1_024} KiB`)
      : parseProviders(json, production);
  },
);
