import { describe, expect, it } from '@postrider/testing';
import { parseRedisAddress } from '../src/index.ts';

const plain = {
  mode: 'single',
  hosts: [{ host: '127.0.0.1', port: 6_379 }],
  tls: false,
  caFile: null,
  username: null,
  password: null,
  database: 0,
  primaryName: null,
  sentinelUsername: null,
  sentinelPassword: null,
};

const ca = { port: 26_379, host: 's1' };

describe('the address of Redis', () => {
  it.each([
    ['redis://127.0.0.1', plain],
    ['redis://:p%40ss@127.0.0.1:6379/2', { ...plain, password: 'p@ss', database: 2 }],
    ['redis://app:a:b@127.0.0.1', { ...plain, username: 'app', password: 'a:b' }],
    ['redis://[::1]:7000', { ...plain, hosts: [{ host: '::1', port: 7_000 }] }],
    ['rediss://127.0.0.1?sslrootcert=/etc/ca.pem', { ...plain, tls: true, caFile: '/etc/ca.pem' }],
    [
      'redis+sentinel://:pw@s1,s2:5000/1?name=mymaster&sentinel_username=u&sentinel_password=a%2Bb',
      {
        ...plain,
        mode: 'sentinel',
        hosts: [ca, { host: 's2', port: 5_000 }],
        password: 'pw',
        database: 1,
        primaryName: 'mymaster',
        sentinelUsername: 'u',
        sentinelPassword: 'a+b',
      },
    ],
    [
      'rediss+cluster://app:pw@n1:7000,n2',
      {
        ...plain,
        mode: 'cluster',
        tls: true,
        hosts: [
          { host: 'n1', port: 7_000 },
          { host: 'n2', port: 6_379 },
        ],
        username: 'app',
        password: 'pw',
      },
    ],
  ])('%s', (text, address) => {
    expect(parseRedisAddress(text)).toEqual({ ok: true, address });
  });

  it.each([
    ['redis:6379', ['must be a URL']],
    ['http://cache', ['must be a URL']],
    ['redis://', ['must be a URL']],
    ['redis://a,b', ['names several hosts']],
    ['redis+cluster://a:x,b', ['must name its hosts as host:port']],
    ['redis+cluster://a,,b', ['must name its hosts as host:port']],
    ['redis+cluster://a/1', ['must not name a database']],
    ['redis+sentinel://a', ['must name the primary']],
    ['redis://a/first', ['must name its database by a number']],
    ['redis://:%@a', ['must have its user and its password percent-encoded']],
    ['redis://a?sslrootcert=/ca.pem', ['has sslrootcert, which needs rediss']],
    ['rediss://a?tls=false&name=x', ['may have only these parameters: sslrootcert']],
    ['redis+sentinel://a:x/b', ['must name its hosts', 'must name its database', 'must name the primary']],
  ])('refuses %s and reports every issue', (text, beginnings) => {
    const parsed = parseRedisAddress(text);
    expect(parsed).toEqual({
      ok: false,
      issues: beginnings.map((beginning) => expect.stringContaining(beginning)),
    });
  });

  it('does not quote the URL, which may contain a password', () => {
    const parsed = parseRedisAddress('redis+sentinel://:hunter2@a:hunter3/hunter4?hunter5=hunter6');
    expect(JSON.stringify(parsed)).not.toContain('hunter');
  });
});
