import { accessSync, constants } from 'node:fs';
import { isIP } from 'node:net';
import {
  databaseServers,
  databaseUrlIssues,
  isPooledDatabase,
  parseCidrs,
  parseId,
  parseRedisAddress,
} from '@postrider/domain';
import {
  accepted,
  type Field,
  optional,
  orNull,
  type Parsed,
  refused,
  required,
} from './read-environment.ts';

const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const NODE_ENVS = ['development', 'test', 'production'] as const;
export type NodeEnv = (typeof NODE_ENVS)[number];

/** Origins that browsers may call from: all, or exactly these. */
export type AllowedOrigins = '*' | readonly string[];

/** `NODE_ENV`; development by default. Production rejects weak secrets. */
export const nodeEnv: Field<NodeEnv> = optional<NodeEnv>('NODE_ENV', 'development', oneOf(NODE_ENVS));

/** `LOG_LEVEL`: the lowest severity that is logged; info by default. */
export const logLevel: Field<LogLevel> = optional<LogLevel>('LOG_LEVEL', 'info', oneOf(LOG_LEVELS));

/** `DATABASE_URL`: a PostgreSQL connection URL; with `pgbouncer=true` through PgBouncer. */
export const databaseUrl: Field<string> = required('DATABASE_URL', parseDatabaseUrl);

/**
 * `DATABASE_DIRECT_URL`: the same database without PgBouncer, for migrations and notifications, which need a session.
 * `DATABASE_URL` by default.
 */
export const databaseDirectUrl: Field<string | null> = orNull<string>('DATABASE_DIRECT_URL', (text) => {
  const parsed = parseDatabaseUrl(text);
  return parsed.ok && isPooledDatabase(text) ? refused('must not go through PgBouncer') : parsed;
});

/** `REDIS_URL`: one server, Sentinels or a Cluster, in the forms of `parseRedisAddress`. */
export const redisUrl: Field<string> = required('REDIS_URL', (text) => {
  const parsed = parseRedisAddress(text);
  if (!parsed.ok) return refused(...parsed.issues);
  return isReadable(parsed.address.caFile) ? accepted(text) : refused(unreadableFile('sslrootcert'));
});

/** `EGRESS_ALLOW_CIDRS`: private addresses that deliveries may connect to; none by default. */
export const egressAllowCidrs: Field<readonly string[]> = cidrs('EGRESS_ALLOW_CIDRS');

/**
 * `TRUSTED_PROXIES`: networks of proxies and load balancers in front of the API. Their connections are not counted by
 * address, because each carries many clients; none by default.
 */
export const trustedProxies: Field<readonly string[]> = cidrs('TRUSTED_PROXIES');

/**
 * `MAX_CONNECTIONS`: open connections per API process; 2,048 by default. Further ones are closed at once. Each takes
 * a descriptor and up to about 100 KB.
 */
export const maxConnections: Field<number> = integer('MAX_CONNECTIONS', {
  fallback: 2_048,
  min: 16,
  max: 65_535,
});

/**
 * `MAX_CONNECTIONS_PER_ADDRESS`: open connections per client address (for IPv6 per /64); 512 by default. Behind a
 * proxy all clients share its address: see {@link trustedProxies}.
 */
export const maxConnectionsPerAddress: Field<number> = integer('MAX_CONNECTIONS_PER_ADDRESS', {
  fallback: 512,
  min: 1,
  max: 65_535,
});

/**
 * `PUBLIC_URL`: the API's address for recipients of email, used in unsubscribe links; null by default. Without a
 * final slash. RFC 8058 requires HTTPS; HTTP is for development.
 */
export const publicUrl: Field<string | null> = orNull<string>('PUBLIC_URL', (text, { production }) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && !production);
  const isPlain = url && !url.search && !url.hash && !url.username && !url.password;
  return isAllowed && isPlain && !/[?#]/.test(text)
    ? accepted(url.href.replace(/\/+$/, ''))
    : refused(
        'must be an https:// URL without a query, such as https://mail.example.com (http:// outside production)',
      );
});

/** An HTTP proxy for outgoing connections. */
export interface ProxySetting {
  /** http or https, without credentials. */
  readonly url: URL;
  readonly credentials: { readonly username: string; readonly password: string } | null;
}

/**
 * `EGRESS_PROXY_URL`: the HTTP proxy (CONNECT) for webhooks and HTTP requests to providers, such as
 * `http://user:password@proxy.internal:3128`; none by default. It gets addresses, not names.
 */
export const egressProxy: Field<ProxySetting | null> = orNull<ProxySetting>('EGRESS_PROXY_URL', (text) => {
  const shape = 'must be a URL such as http://user:password@proxy.internal:3128';
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return refused(shape);
  const { protocol, host: where, username, password, pathname, search, hash } = new URL(text);
  if (pathname !== '/' || search !== '' || hash !== '') return refused(shape);
  try {
    const credentials =
      username === '' && password === ''
        ? null
        : { username: decodeURIComponent(username), password: decodeURIComponent(password) };
    return accepted({ url: new URL(`${protocol}//${where}`), credentials });
  } catch {
    return refused('has credentials that are not percent-encoded as in a URL');
  }
});

/** `AUDIT_ENVIRONMENT`: the environment that gets the entries of the audit log as operational events; its UUID. */
export const auditEnvironment: Field<string | null> = orNull<string>('AUDIT_ENVIRONMENT', (text) => {
  const id = parseId('env', text);
  return id === null ? refused('must be the id of an environment, env_…') : accepted(id);
});

/** `WEBHOOK_HTTPS_ONLY`: whether webhooks may only use https. It must be the same for API and worker. */
const flag = (variable: string): Field<boolean> =>
  optional<boolean>(variable, false, (text) =>
    text === 'true' || text === 'false' ? accepted(text === 'true') : refused('must be true or false'),
  );
export const webhookHttpsOnly = flag('WEBHOOK_HTTPS_ONLY');

/** Whether this worker lends its own access to AWS to channels that an operator marked (`aws_role`). */
export const awsKeyless = flag('AWS_KEYLESS');

/** Networks in CIDR notation, comma-separated; none by default. */
function cidrs(variable: string): Field<readonly string[]> {
  return optional<readonly string[]>(variable, [], (text) => {
    const parsed = parseCidrs(text);
    return parsed.ok ? accepted(parsed.cidrs) : parsed;
  });
}

/**
 * `CORS_ALLOWED_ORIGINS`: `*` (the default), or comma-separated origins such as `https://app.example.com`.
 */
export const corsAllowedOrigins: Field<AllowedOrigins> = optional<AllowedOrigins>(
  'CORS_ALLOWED_ORIGINS',
  '*',
  (text) => {
    if (text === '*') return accepted<AllowedOrigins>('*');
    const origins = text.split(',').map((origin) => origin.trim());
    return origins.every(isOrigin)
      ? accepted<AllowedOrigins>(origins)
      : refused('must be * or a comma-separated list of origins such as https://app.example.com');
  },
);

/** The address to listen on, such as 127.0.0.1; all addresses by default. */
export const host: Field<string | undefined> = optional<string | undefined>('HOST', undefined, (text) =>
  isIP(text) === 0 ? refused('must be an IP address, such as 127.0.0.1 or ::') : accepted(text),
);

/** A TCP port of this app, such as `port('PORT', 3000)`. With 0 the system chooses one. */
export function port(variable: string, fallback: number): Field<number> {
  return integer(variable, { fallback, min: 0, max: 65_535 });
}

/**
 * `METRICS_PORT`: the port of `/metrics`, separate from the app's so that it can stay private. `off` for none; with 0
 * the system chooses one. Two apps on one machine need different ports.
 */
export function metricsPort(fallback: number): Field<number | null> {
  const number = port('METRICS_PORT', fallback);
  return optional<number | null>('METRICS_PORT', fallback, (text, surroundings) => {
    if (text === 'off') return accepted<number | null>(null);
    const parsed = number.parse(text, surroundings);
    return parsed.ok ? parsed : refused('must be a whole number from 0 to 65535, or off');
  });
}

/** A whole number between `min` and `max`, both included. */
export function integer(
  variable: string,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): Field<number> {
  return optional(variable, fallback, (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max
      ? accepted(value)
      : refused(`must be a whole number from ${min} to ${max}`);
  });
}

/**
 * `QUEUE_SHARDS`: queues per channel kind, the same for API and worker (docs/runbook.md, "Shards"). Each takes two
 * connections of a worker.
 */
export const queueShards: Field<number> = integer('QUEUE_SHARDS', { fallback: 1, min: 1, max: 24 });

/** One of the given words. */
export function choice<const T extends string>(
  variable: string,
  { fallback, values }: { fallback: T; values: readonly T[] },
): Field<T> {
  return optional<T>(variable, fallback, oneOf(values));
}

function oneOf<const T extends string>(values: readonly T[]): (text: string) => Parsed<T> {
  return (text) => {
    const value = values.find((candidate) => candidate === text);
    return value === undefined ? refused(`must be one of ${values.join(', ')}`) : accepted(value);
  };
}

/** Connection URLs contain passwords, so the error says what is expected and quotes nothing. */
function parseDatabaseUrl(text: string): Parsed<string> {
  const issues = databaseUrlIssues(text);
  const [first] = databaseServers(text);
  if (issues.length > 0 || !first) return refused(...issues);
  const { searchParams } = first;
  if (!['true', 'false', null].includes(searchParams.get('pgbouncer'))) {
    return refused('must say pgbouncer=true or pgbouncer=false');
  }
  const unreadable = ['sslrootcert', 'sslcert', 'sslkey'].find((name) => !isReadable(searchParams.get(name)));
  return unreadable === undefined ? accepted(text) : refused(unreadableFile(unreadable));
}

const unreadableFile = (parameter: string) => `names a file in ${parameter} that cannot be read`;

function isReadable(file: string | null): boolean {
  if (file === null) return true;
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}
