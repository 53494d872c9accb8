import { readFileSync } from 'node:fs';
import { COMMON_ATTEMPT_ERROR_CODES, SERVICE_KINDS } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import {
  channelKinds,
  createChannelRegistry,
  createEmailKind,
  EMAIL_PROVIDERS,
  webhookKind,
} from '../src/index.ts';

/** The codes below the heading of each kind in docs/errors.md, and those of any kind. */
const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');
const DOCUMENTED: ReadonlyMap<string, readonly string[]> = new Map(
  page
    .split('\n### ')
    .slice(1)
    .map((section) => [
      section.slice(0, section.indexOf('\n')),
      [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, code = '']) => code).sort(),
    ]),
);

describe('the registry', () => {
  it('has the kinds of docs/errors.md', () => {
    expect([...channelKinds.kinds, 'any'].sort()).toEqual([...DOCUMENTED.keys()].sort());
    expect(() => channelKinds.get('fax')).toThrow('fax');
    expect(channelKinds.find('fax')).toBeNull();
  });

  it('has the kinds of the domain with their facts, by which events are planned and claimed', () => {
    expect(channelKinds.kinds).toEqual(SERVICE_KINDS.map(({ kind }) => kind));
    for (const facts of SERVICE_KINDS) expect(channelKinds.get(facts.kind)).toMatchObject(facts);
  });

  it('refuses two kinds with the same name, and a name that cannot be part of a key', () => {
    expect(() => createChannelRegistry([webhookKind, webhookKind])).toThrow('same name');
    expect(() => createChannelRegistry([{ ...webhookKind, kind: 'web:hook' }])).toThrow('web:hook');
  });
});

describe('attempt error codes', () => {
  it('are those of docs/errors.md', () => {
    const own = channelKinds.definitions.map(({ kind, errorCodes }) => [kind, [...errorCodes].sort()]);
    expect(DOCUMENTED).toEqual(new Map([...own, ['any', [...COMMON_ATTEMPT_ERROR_CODES].sort()]] as never));
    expect([...channelKinds.attemptErrorCodes].sort()).toEqual([...DOCUMENTED.values()].flat().sort());
  });

  it.each(channelKinds.definitions)(
    'of $kind are snake_case, and include the one for a secret',
    (definition) => {
      for (const code of definition.errorCodes) expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
      expect(definition.errorCodes).toContain(definition.secretErrorCode);
    },
  );
});

describe('an email channel', () => {
  const [smtp] = EMAIL_PROVIDERS;
  const other = { ...(smtp as NonNullable<typeof smtp>), name: 'other' };
  const { config, credentials } = createEmailKind([...EMAIL_PROVIDERS, other]);
  const from = { email: 'shop@example.com' };
  const settings = { host: 'mail.example.com', port: 25, username: 'u' };

  it('requires exactly one of several providers', () => {
    const countOf = (one: Parameters<typeof config.present>[0]) =>
      config.rules.flatMap(({ issuesOf }) => issuesOf(one)).length;
    expect(countOf({ smtp: settings, from })).toBe(0);
    expect(countOf({ from })).toBe(1);
    expect(countOf({ smtp: settings, other: settings, from })).toBe(1);
  });

  it('never uses a stored credential with another provider', () => {
    const before = {
      config: { senders: [{ name: 'main', provider: 'smtp', smtp: settings }], from },
      credentials: new Set(['senders/main/password']),
    };
    const after = { senders: [{ name: 'main', provider: 'other', other: settings }], from };
    expect(credentials?.change(before, { given: after, config: after })).toMatchObject({
      issues: [{ path: '/senders/0/other/password', code: 'required' }],
    });
  });
});
