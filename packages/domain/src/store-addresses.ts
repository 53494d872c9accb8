interface RedisHost {
  readonly host: string;
  readonly port: number;
}

/** How to connect to Redis: a single server, a primary behind Sentinels, or a Cluster. */
export interface RedisAddress {
  readonly mode: 'single' | 'sentinel' | 'cluster';
  /** The server, the Sentinels, or some nodes of the Cluster; at least one. */
  readonly hosts: readonly RedisHost[];
  /** Applies to Sentinels, too. */
  readonly tls: boolean;
  /** File with trusted certificates (PEM); null for those of Node.js. */
  readonly caFile: string | null;
  readonly username: string | null;
  readonly password: string | null;
  /** Number of the database; always 0 in a Cluster. */
  readonly database: number;
  /** The Sentinels' name of the primary; null without Sentinels. */
  readonly primaryName: string | null;
  /** Credentials of the Sentinels themselves; null if they need none. */
  readonly sentinelUsername: string | null;
  readonly sentinelPassword: string | null;
}

type ParsedRedisAddress =
  | { readonly ok: true; readonly address: RedisAddress }
  | { readonly ok: false; readonly issues: string[] };

const FORM =
  /^(rediss?)(?:\+(sentinel|cluster))?:\/\/(?:([^/?#]*)@)?([^/?#@]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/;
const PORTS = { single: 6_379, sentinel: 26_379, cluster: 6_379 } as const;
/** `sslrootcert` has the same name as in a PostgreSQL URL. */
const PARAMETERS = {
  single: ['sslrootcert'],
  sentinel: ['sslrootcert', 'name', 'sentinel_username', 'sentinel_password'],
  cluster: ['sslrootcert'],
} as const;

/** Redis has 16 databases by default. A longer number is a mistake. */
const DATABASE = /^\d{1,5}$/;

function parseHost(text: string, defaultPort: number): RedisHost | null {
  const url = `redis://${text}`;
  if (!URL.canParse(url)) return null;
  const { hostname, port, host } = new URL(url);
  if (hostname === '' || host.toLowerCase() !== text.toLowerCase()) return null;
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? defaultPort : Number(port) };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Parses `user:password`; undefined if it is not percent-encoded correctly. */
function parseUser(text = ''): Pick<RedisAddress, 'username' | 'password'> | undefined {
  const [, user = '', password = ''] = /^([^:]*):?(.*)$/.exec(text) ?? [];
  const [username, secret] = [decoded(user), decoded(password)];
  if (username === null || secret === null) return undefined;
  return { username: username || null, password: secret || null };
}

/**
 * Parses `REDIS_URL`. Its forms: `redis://[user:password@]host[:port][/database]`;
 * `redis+sentinel://[user:password@]host[:port],…[/database]?name=<primary>[&sentinel_username=…]
 * [&sentinel_password=…]`; `redis+cluster://[user:password@]host[:port],…`. `rediss` instead of `redis` uses TLS, with
 * the trusted certificates in `?sslrootcert=<file>`. Reports all issues at once. They do not quote the URL, which may
 * contain a password.
 */
export function parseRedisAddress(text: string): ParsedRedisAddress {
  const match = FORM.exec(text);
  if (!match) {
    return {
      ok: false,
      issues: [
        'must be a URL that starts with redis://, redis+sentinel:// or redis+cluster:// (rediss for TLS)',
      ],
    };
  }
  const [, scheme, suffix, user, hostList = '', path = '', query = ''] = match;
  const mode = suffix === 'sentinel' || suffix === 'cluster' ? suffix : 'single';
  const tls = scheme === 'rediss';
  const parameters = new URLSearchParams(query);
  const hosts = hostList.split(',').map((host) => parseHost(host, PORTS[mode]));
  const credentials = parseUser(user);
  const allowed: readonly string[] = PARAMETERS[mode];
  const unknown = [...new Set(parameters.keys())].filter((name) => !allowed.includes(name));

  const issues: string[] = [];
  if (hosts.includes(null)) issues.push('must name its hosts as host:port');
  if (mode === 'single' && hosts.length > 1) {
    issues.push('names several hosts: write redis+sentinel:// or redis+cluster://');
  }
  if (!credentials) issues.push('must have its user and its password percent-encoded');
  if (path !== '' && mode === 'cluster') issues.push('must not name a database: a Cluster has only one');
  else if (path !== '' && !DATABASE.test(path)) issues.push('must name its database by a number');
  if (mode === 'sentinel' && !parameters.get('name')) {
    issues.push('must name the primary that the Sentinels watch: ?name=…');
  }
  if (parameters.has('sslrootcert') && !tls) issues.push('has sslrootcert, which needs rediss');
  if (unknown.length > 0) issues.push(`may have only these parameters: ${allowed.join(', ')}`);
  if (issues.length > 0 || !credentials) return { ok: false, issues };

  return {
    ok: true,
    address: {
      mode,
      hosts: hosts.filter((host) => host !== null),
      tls,
      caFile: parameters.get('sslrootcert') || null,
      ...credentials,
      database: Number(path),
      primaryName: parameters.get('name'),
      sentinelUsername: parameters.get('sentinel_username') || null,
      sentinelPassword: parameters.get('sentinel_password') || null,
    },
  };
}

const SERVERS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s;

function splitDatabaseUrl(databaseUrl: string) {
  const [, before = '', hosts = '', after = ''] = SERVERS.exec(databaseUrl) ?? [];
  return { before, hosts, after };
}

/**
 * The URL of each server of a PostgreSQL URL, which may name several: `postgresql://user:password@one:5432,two:5432/db`. Empty
 * if it is no such URL.
 */
export function databaseServers(databaseUrl: string): URL[] {
  const { before, hosts, after } = splitDatabaseUrl(databaseUrl);
  const urls = hosts.split(',').map((host) => `${before}${host}${after}`);
  return urls.every((url) => URL.canParse(url)) ? urls.map((url) => new URL(url)) : [];
}

/** The URL with changed parameters, for all of its servers. */
export function changeDatabaseParameters(
  databaseUrl: string,
  change: (parameters: URLSearchParams) => void,
): string {
  const { before, hosts, after } = splitDatabaseUrl(databaseUrl);
  const url = new URL(`postgresql://host${after}`);
  change(url.searchParams);
  return `${before}${hosts}${url.pathname}${url.search}`;
}

const parameterOf = (databaseUrl: string, name: string) =>
  databaseServers(databaseUrl)[0]?.searchParams.get(name) ?? null;

/** Values of `target_session_attrs` that ask for a server that accepts writes, and the one that does not ask. */
const WRITABLE = ['read-write', 'primary'];
const ANY = 'any';

/** Whether connections must lead to a server that accepts writes. */
export function wantsPrimary(databaseUrl: string): boolean {
  return WRITABLE.includes(parameterOf(databaseUrl, 'target_session_attrs') ?? ANY);
}

/** The issues of a PostgreSQL URL; empty if there are none. */
export function databaseUrlIssues(databaseUrl: string): string[] {
  const servers = databaseServers(databaseUrl);
  if (servers.length === 0) return ['must be a URL that starts with postgres:// or postgresql://'];
  const target = parameterOf(databaseUrl, 'target_session_attrs') ?? ANY;
  const isKnown = [...WRITABLE, ANY].includes(target);
  if (isKnown && (servers.length === 1 || target !== ANY)) return [];
  return ['must have target_session_attrs=read-write if it names several servers: every process writes'];
}

/**
 * Whether a PostgreSQL URL has `pgbouncer=true`: its connections come from PgBouncer in transaction mode, so session
 * state is lost between transactions, and features that need a session must use a direct connection.
 */
export function isPooledDatabase(databaseUrl: string): boolean {
  return parameterOf(databaseUrl, 'pgbouncer') === 'true';
}
