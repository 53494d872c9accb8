import {
  adminToken,
  choice,
  corsAllowedOrigins,
  databaseDirectUrl,
  databaseUrl,
  egressAllowCidrs,
  type Field,
  integer,
  logLevel,
  maxConnections,
  maxConnectionsPerAddress,
  metricsPort,
  nodeEnv,
  port,
  readEnvironment,
  redisUrl,
  trustedProxies,
} from '@postrider/config';
import { describe, expect, it } from '@postrider/testing';

/** The field's value for this text, or its issues. */
function read<T>(field: Field<T>, text: string | undefined, nodeEnvironment = 'test'): T | string[] {
  const result = readEnvironment(
    { field },
    { [field.variable]: text, ...(field.variable === 'NODE_ENV' ? {} : { NODE_ENV: nodeEnvironment }) },
  );
  return result.ok ? (result.config.field as T) : result.issues;
}

describe('plain fields', () => {
  it.each([
    [undefined, 9464],
    ['off', null],
    ['0', 0],
    ['65536', ['METRICS_PORT must be a whole number from 0 to 65535, or off']],
    ['none', ['METRICS_PORT must be a whole number from 0 to 65535, or off']],
  ])('METRICS_PORT %s', (text, expected) => {
    expect(read(metricsPort(9464), text)).toEqual(expected);
  });

  it('limits of connections have defaults and bounds', () => {
    expect([read(maxConnections, undefined), read(maxConnectionsPerAddress, undefined)]).toEqual([
      2_048, 512,
    ]);
    expect(read(maxConnections, '15')).toEqual(['MAX_CONNECTIONS must be a whole number from 16 to 65535']);
    expect(read(trustedProxies, undefined)).toEqual([]);
    expect(read(trustedProxies, '10.0.0.0/8, fd00::/8')).toEqual(['10.0.0.0/8', 'fd00::/8']);
    expect(read(trustedProxies, 'the ingress')).toEqual([expect.stringContaining('TRUSTED_PROXIES')]);
  });

  it.each([
    ['postgres://app@db/postrider', 'postgres://app@db/postrider'],
    ['postgresql:///postrider?host=/run/postgresql', 'postgresql:///postrider?host=/run/postgresql'],
    ['postgres://pooler/db?pgbouncer=true', 'postgres://pooler/db?pgbouncer=true'],
    ['postgres://pooler/db?pgbouncer=yes', ['DATABASE_URL must say pgbouncer=true or pgbouncer=false']],
    ['postgres://db/x?sslrootcert=/no', ['DATABASE_URL names a file in sslrootcert that cannot be read']],
    ['postgres://db/x?sslcert=/no', ['DATABASE_URL names a file in sslcert that cannot be read']],
    ['postgres://db/x?sslkey=/no', ['DATABASE_URL names a file in sslkey that cannot be read']],
    [
      'postgres://a,b/db?target_session_attrs=read-write',
      'postgres://a,b/db?target_session_attrs=read-write',
    ],
    [
      'postgres://a,b/db',
      [
        'DATABASE_URL must have target_session_attrs=read-write if it names several servers: every process writes',
      ],
    ],
    ['db:5432', ['DATABASE_URL must be a URL that starts with postgres:// or postgresql://']],
  ])('DATABASE_URL %s', (text, expected) => {
    expect(read(databaseUrl, text)).toEqual(expected);
  });

  it.each([
    [undefined, null],
    ['postgres://db/postrider', 'postgres://db/postrider'],
    ['postgres://pooler/db?pgbouncer=true', ['DATABASE_DIRECT_URL must not go through PgBouncer']],
  ])('DATABASE_DIRECT_URL %s', (text, expected) => {
    expect(read(databaseDirectUrl, text)).toEqual(expected);
  });

  it.each([
    ['redis://:secret@cache/1', 'redis://:secret@cache/1'],
    ['redis+sentinel://s1,s2?name=mymaster', 'redis+sentinel://s1,s2?name=mymaster'],
    ['redis+sentinel://s1,s2', ['REDIS_URL must name the primary that the Sentinels watch: ?name=…']],
    ['rediss://a?sslrootcert=/none.pem', ['REDIS_URL names a file in sslrootcert that cannot be read']],
  ])('REDIS_URL %s', (text, expected) => {
    expect(read(redisUrl, text)).toEqual(expected);
  });

  it.each([
    [undefined, 3000],
    ['0', 0],
    ['65535', 65_535],
    ['65536', ['PORT must be a whole number from 0 to 65535']],
    ['-1', ['PORT must be a whole number from 0 to 65535']],
    ['80.5', ['PORT must be a whole number from 0 to 65535']],
    ['0x50', ['PORT must be a whole number from 0 to 65535']],
  ])('PORT %s', (text, expected) => {
    expect(read(port('PORT', 3000), text)).toEqual(expected);
  });

  it('accepts whole numbers within inclusive bounds', () => {
    const concurrency = integer('WORKER_CONCURRENCY', { fallback: 50, min: 1, max: 1_000 });

    expect(['1', '1000', undefined].map((text) => read(concurrency, text))).toEqual([1, 1_000, 50]);
    expect(read(concurrency, '0')).toEqual(['WORKER_CONCURRENCY must be a whole number from 1 to 1000']);
  });

  it('accepts levels and environments only by their exact names', () => {
    expect([read(logLevel, undefined), read(logLevel, 'debug'), read(nodeEnv, undefined)]).toEqual([
      'info',
      'debug',
      'development',
    ]);
    expect(read(logLevel, 'INFO')).toEqual(['LOG_LEVEL must be one of error, warn, info, debug']);
    expect(read(choice('CLIENT', { fallback: 'b', values: ['a', 'b'] }), 'a')).toBe('a');
    expect(read(nodeEnv, 'prod')).toEqual(['NODE_ENV must be one of development, test, production']);
  });

  it('names every invalid range of EGRESS_ALLOW_CIDRS, and allows none by default', () => {
    expect(read(egressAllowCidrs, undefined)).toEqual([]);
    expect(read(egressAllowCidrs, '127.0.0.0/8, ::1')).toEqual(['127.0.0.0/8', '::1']);
    expect(read(egressAllowCidrs, '10.0.0.0/33,here')).toHaveLength(2);
  });

  it.each([
    [undefined, '*'],
    ['*', '*'],
    ['https://a.example, http://localhost:5173', ['https://a.example', 'http://localhost:5173']],
  ])('CORS_ALLOWED_ORIGINS %s', (text, expected) => {
    expect(read(corsAllowedOrigins, text)).toEqual(expected);
  });

  it.each(['https://a.example/', 'a.example', '*,https://a.example', 'null'])(
    'refuses the origin %s, which no browser sends',
    (text) => {
      expect(read(corsAllowedOrigins, text)).toEqual([
        'CORS_ALLOWED_ORIGINS must be * or a comma-separated list of origins such as https://app.example.com',
      ]);
    },
  );
});

describe('ADMIN_TOKEN', () => {
  const drawn = 'Zk3vQ9xT1bN7mW5cR8yH2jL6pD4sF0gA';

  it('may be left out', () => {
    expect(read(adminToken, undefined, 'production')).toBeNull();
  });

  it('has at least 32 characters in every environment', () => {
    expect(read(adminToken, drawn, 'production')).toBe(drawn);
    expect(read(adminToken, drawn.slice(1), 'test')).toEqual([
      'ADMIN_TOKEN must have at least 32 characters',
    ]);
  });

  it('only has characters that a header can contain', () => {
    expect(read(adminToken, `${drawn} ${drawn}`)).toEqual([
      'ADMIN_TOKEN must consist of visible ASCII characters',
    ]);
  });

  it('must not repeat one character in production', () => {
    expect(read(adminToken, 'a'.repeat(32), 'test')).toBe('a'.repeat(32));
    expect(read(adminToken, 'a'.repeat(32), 'production')).toEqual([
      'ADMIN_TOKEN is too weak: its characters are not random',
    ]);
  });
});
