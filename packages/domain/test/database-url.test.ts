import { describe, expect, it } from '@postrider/testing';
import {
  changeDatabaseParameters,
  databaseServers,
  databaseUrlIssues,
  isPooledDatabase,
  wantsPrimary,
} from '../src/index.ts';

describe('a PostgreSQL URL', () => {
  it.each([
    ['postgres://a:b@one/db', ['postgres://a:b@one/db']],
    [
      'postgresql://a:b%2C@one:5432,two:5433,[::1]/db?x=1',
      [
        'postgresql://a:b%2C@one:5432/db?x=1',
        'postgresql://a:b%2C@two:5433/db?x=1',
        'postgresql://a:b%2C@[::1]/db?x=1',
      ],
    ],
    ['postgresql:///db?host=/run/postgresql', ['postgresql:///db?host=/run/postgresql']],
    ['postgresql://one:port/db', []],
    ['redis://one', []],
  ])('%s names its servers', (url, servers) => {
    expect(databaseServers(url).map(({ href }) => href)).toEqual(servers);
  });

  it('keeps its servers when its parameters change', () => {
    const url = 'postgresql://a:b@one:1,two:2/db?pgbouncer=true';
    expect(isPooledDatabase(url)).toBe(true);
    expect(changeDatabaseParameters(url, (parameters) => parameters.set('pgbouncer', 'false'))).toBe(
      'postgresql://a:b@one:1,two:2/db?pgbouncer=false',
    );
  });

  it.each([
    ['postgresql://one,two/db?target_session_attrs=read-write', true, 0],
    ['postgresql://one/db?target_session_attrs=primary', true, 0],
    ['postgresql://one/db?target_session_attrs=any', false, 0],
    ['postgresql://one/db', false, 0],
    ['postgresql://one,two/db', false, 1],
    ['postgresql://one,two/db?target_session_attrs=any', false, 1],
    ['postgresql://one/db?target_session_attrs=standby', false, 1],
  ])('%s', (url, isPrimary, issues) => {
    expect([wantsPrimary(url), databaseUrlIssues(url).length]).toEqual([isPrimary, issues]);
  });
});
