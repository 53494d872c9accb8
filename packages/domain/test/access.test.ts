import { describe, expect, it } from '@postrider/testing';
import { DEFAULT_TOKEN_SCOPES, TOKEN_SCOPES, tokenScopes } from '../src/index.ts';

describe('the scopes of a token', () => {
  it('are the default ones unless it was issued with one of the form area:action', () => {
    expect(tokenScopes([])).toEqual(DEFAULT_TOKEN_SCOPES);
    expect(tokenScopes(['ignore_suppression'])).toEqual([...DEFAULT_TOKEN_SCOPES, 'ignore_suppression']);
    expect(tokenScopes(['channels:read', 'ignore_suppression'])).toEqual([
      'channels:read',
      'ignore_suppression',
    ]);
  });

  it('never concern other environments, or who has access', () => {
    const areas = new Set(Object.keys(TOKEN_SCOPES).map((scope) => scope.split(':')[0]));
    expect([...areas]).toEqual([
      ...['events', 'messages', 'replays', 'deliveries', 'channels', 'consumers'],
      ...['portal-sessions', 'event-types', 'templates'],
      ...['suppressions', 'usage', 'ignore_suppression'],
    ]);
  });
});
