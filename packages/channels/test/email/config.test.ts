import { X509Certificate } from 'node:crypto';
import type { JsonObject, JsonValue } from '@postrider/domain';
import { createAuthority } from '@postrider/rig/certificates';
import { describe, expect, it } from '@postrider/testing';
import { type EmailConfig, emailSettings } from '../../src/email/config.ts';
import { emailCredentials } from '../../src/email/credentials.ts';
import { EMAIL_PROVIDERS } from '../../src/email/providers/index.ts';
import type { SmtpSettings } from '../../src/email/providers/smtp/settings.ts';

const { config: settings } = emailSettings(EMAIL_PROVIDERS);
const emailConfigIssues = (one: EmailConfig) => settings.rules.flatMap(({ issuesOf }) => issuesOf(one));
const credentials = emailCredentials(EMAIL_PROVIDERS);

const config = (smtp: Partial<SmtpSettings> = {}): EmailConfig => ({
  smtp: { host: 'smtp.example.com', port: 587, ...smtp },
  from: { email: 'shop@example.com' },
});

describe('the rules of an email config', () => {
  it.each(['smtp.example.com', 'localhost', 'my_mail', '10.0.0.1', '2001:db8::1'])(
    'accept the host %s',
    (host) => {
      expect(emailConfigIssues(config({ host }))).toEqual([]);
    },
  );

  it.each([
    '',
    'a b',
    'smtp://mail',
    'a..b',
    '-a.example',
    'mail.example.com:25',
    'a\r\nb',
    'ü.example',
    '[::1]',
  ])('refuse the host %j', (host) => {
    expect(emailConfigIssues(config({ host })).map(({ path }) => path)).toEqual(['/smtp/host']);
  });

  it.each([
    'bounces@shop.example',
    'bounces+{run}@shop.example',
    '{run}@shop.example',
    'b=22-characters-long-+{run}@b.example',
  ])('accept the return path %s', (return_path) => {
    expect(emailConfigIssues(config({ return_path }))).toEqual([]);
  });

  it.each([
    ['bounces', 'must be one bare email address'],
    ['Bounces <b@shop.example>', 'must be one bare email address'],
    ['b\r\nRCPT TO:<x@y.example>@shop.example', 'must be one bare email address'],
    ['b{run}@shop.example', 'after a separator'],
    ['{run}+b@shop.example', 'directly before the @'],
    ['b@{run}.example', 'directly before the @'],
    ['b+{run}+{run}@shop.example', 'once'],
    ['b+{token}@shop.example', 'must have {run} once'],
    ['bounces-of-the-web-shop+{run}@shop.example', 'at most 22 characters before {run}'],
  ])('refuse the return path %s', (return_path, message) => {
    expect(emailConfigIssues(config({ return_path }))).toEqual([
      { path: '/smtp/return_path', code: 'invalid_format', message: expect.stringContaining(message) },
    ]);
  });

  it('accept token endpoints over https or on this machine, for a login with a user name', () => {
    for (const token_url of ['https://oauth2.googleapis.com/token', 'http://127.0.0.1:8080/token']) {
      const oauth2 = { token_url, client_id: 'shop' };
      expect(emailConfigIssues(config({ username: 'u', oauth2 }))).toEqual([]);
    }
    const withoutUser = config({ oauth2: { token_url: 'https://id.example.com/', client_id: 'shop' } });
    expect(emailConfigIssues(withoutUser)).toEqual([
      { path: '/smtp/username', code: 'required', message: 'is required together with oauth2' },
    ]);
  });

  it.each(['http://id.example.com/token', 'ftp://id.example.com', 'https://u:p@id.example.com/', 'token'])(
    'refuse the token endpoint %s',
    (token_url) => {
      const oauth2 = { token_url, client_id: 'shop' };
      expect(emailConfigIssues(config({ username: 'u', oauth2 }))).toMatchObject([
        { path: '/smtp/oauth2/token_url', code: 'invalid_format' },
      ]);
    },
  );

  it('refuse certificates that are none, with the path', () => {
    const invalid = config({ ca: 'x', certificate: 'y' });
    expect(emailConfigIssues(invalid)).toMatchObject([
      { path: '/smtp/ca', code: 'invalid_format' },
      { path: '/smtp/certificate', code: 'invalid_format' },
    ]);
  });

  it('refuse line breaks in values of headers and commands', () => {
    const invalid = {
      ...config({ username: 'a\nb' }),
      from: { email: 'a@example.com', name: 'Shop\r\nBcc: b' },
    };
    expect(emailConfigIssues(invalid).map(({ path }) => path)).toEqual(['/smtp/username', '/from/name']);
  });
});

describe('the rules of SMTP credentials', () => {
  const PASSWORD = 'senders/smtp/password';
  const stored = { config: config({ username: 'u' }), credentials: new Set([PASSWORD]) };
  const none = { config: config(), credentials: new Set<string>() };
  /** What a request with this password makes of it: left out, null, or a text. */
  const change = (before: typeof stored | null, after: EmailConfig, password?: string | null) =>
    credentials.change(before, {
      given: password === undefined ? {} : { smtp: { password } },
      config: after,
    });
  const pathsOf = (...parameters: Parameters<typeof change>) =>
    change(...parameters).issues.map(({ path }) => path);

  it('require a user name and a password together, or neither', () => {
    expect(pathsOf(null, config())).toEqual([]);
    expect(pathsOf(null, config({ username: 'u' }), 'p')).toEqual([]);
    expect(pathsOf(null, config({ username: 'u' }))).toEqual(['/smtp/password']);
    expect(pathsOf(null, config(), 'p')).toEqual(['/smtp/username']);
    expect(pathsOf(none, config({ username: 'u' }))).toEqual(['/smtp/password']);
    expect(pathsOf(stored, config({ username: 'u' }), null)).toEqual(['/smtp/password']);
    expect(pathsOf(stored, config())).toEqual(['/smtp/username']);
    expect(change(stored, config(), null)).toEqual({ changes: { [PASSWORD]: null }, issues: [] });
  });

  it('keep the stored password while only the user name or port changes', () => {
    const kept = { changes: {}, issues: [] };
    expect(change(stored, config({ username: 'v', port: 465 }))).toEqual(kept);
    expect(change(stored, config({ username: 'u', host: 'SMTP.example.com' }))).toEqual(kept);
  });

  it('require a private key with each new certificate, and the password again when the authority changes', async () => {
    const authority = await createAuthority('Clients');
    const [one, other] = await Promise.all([authority.issue('one'), authority.issue('other')]);
    const KEY = 'senders/smtp/private_key';
    const given = (private_key: string) => ({ smtp: { private_key } });
    const withKey = config({ certificate: one.certificate });
    expect(credentials.change(null, { given: {}, config: withKey }).issues).toMatchObject([
      { path: '/smtp/private_key', code: 'required' },
    ]);
    expect(
      credentials.change(null, { given: given(other.privateKey), config: withKey }).issues,
    ).toMatchObject([{ path: '/smtp/private_key', code: 'invalid_value' }]);
    expect(credentials.change(null, { given: given(one.privateKey), config: withKey })).toEqual({
      changes: { [KEY]: one.privateKey },
      issues: [],
    });
    const before = { config: withKey, credentials: new Set([KEY]) };
    const renewed = config({ certificate: other.certificate });
    expect(credentials.change(before, { given: {}, config: renewed }).issues).toMatchObject([
      { path: '/smtp/private_key', code: 'required' },
    ]);
    expect(pathsOf(stored, config({ username: 'u', ca: authority.certificate }))).toEqual(['/smtp/password']);
  });

  it('store the first end of the client certificates of a channel', async () => {
    const authority = await createAuthority('Clients');
    const [soon, later] = await Promise.all([authority.issue('a', 10), authority.issue('b', 20)]);
    const sender = (name: string, certificate: string) => ({
      ...{ name, provider: 'smtp', smtp: { host: 'smtp.example.com', port: 587, certificate } },
    });
    const listed = {
      from: { email: 'shop@example.com' },
      senders: [sender('one', later.certificate), sender('two', soon.certificate)],
    };
    const end = new Date(new X509Certificate(soon.certificate).validTo).toISOString();
    expect(settings.toStored(listed).certificate_expires_at).toBe(end);
    expect(settings.toStored(config() as JsonObject)).not.toHaveProperty('certificate_expires_at');
  });

  it('refuse a certificate whose end is no time', async () => {
    const { certificate } = await (await createAuthority('Clients')).issue('a');
    const der = new X509Certificate(certificate).raw;
    // UTCTime (ASN.1) of 13 characters: the second is the end.
    const end = der.indexOf('\x17\x0d', der.indexOf('\x17\x0d') + 15);
    der.write('269931000000Z', end + 2);
    const pem = `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`;
    expect(
      settings.toStored(config({ certificate: pem }) as JsonObject).certificate_expires_at,
    ).toBeUndefined();
    expect(emailConfigIssues(config({ certificate: pem }))).toMatchObject([{ path: '/smtp/certificate' }]);
  });

  it('require the password again when the host changes', () => {
    const elsewhere = config({ username: 'u', host: 'smtp.attacker.example' });
    expect(pathsOf(stored, elsewhere)).toEqual(['/smtp/password']);
    expect(change(stored, elsewhere, 'p')).toEqual({ changes: { [PASSWORD]: 'p' }, issues: [] });
  });
});

describe('the credentials of a login with access tokens', () => {
  const PASSWORD = 'senders/smtp/password';
  const SECRET = 'senders/smtp/oauth2/client_secret';
  const REFRESH = 'senders/smtp/oauth2/refresh_token';
  const OAUTH2 = { token_url: 'https://id.example.com/token', client_id: 'shop' };
  const withTokens = (smtp: Partial<SmtpSettings> = {}, oauth2: Partial<typeof OAUTH2> = {}) =>
    config({ username: 'u', oauth2: { ...OAUTH2, ...oauth2 }, ...smtp });
  const both = { config: withTokens(), credentials: new Set([SECRET, REFRESH]) };
  /** What a request with these SMTP settings makes of the credentials. */
  const change = (before: typeof both | null, after: EmailConfig, smtp: JsonObject = {}) => {
    const { changes, issues } = credentials.change(before, { given: { smtp }, config: after });
    return { changes, issues: issues.map(({ path, code }) => `${path} ${code}`) };
  };

  it('are a client secret and, for the refresh token grant, a refresh token', () => {
    expect(change(null, withTokens()).issues).toEqual(['/smtp/oauth2/client_secret required']);
    expect(change(null, withTokens(), { oauth2: { client_secret: 's' } })).toEqual({
      changes: { [SECRET]: 's' },
      issues: [],
    });
    expect(change(null, withTokens(), { oauth2: { client_secret: 's', refresh_token: 'r' } })).toEqual({
      changes: { [SECRET]: 's', [REFRESH]: 'r' },
      issues: [],
    });
    expect(change(both, withTokens(), { oauth2: { refresh_token: null } })).toEqual({
      changes: { [REFRESH]: null },
      issues: [],
    });
  });

  it('replace a password, and are replaced by one', () => {
    const withPassword = { config: config({ username: 'u' }), credentials: new Set([PASSWORD]) };
    const secret = { oauth2: { client_secret: 's' } };
    expect(change(withPassword, withTokens(), secret)).toEqual({
      changes: { [PASSWORD]: null, [SECRET]: 's' },
      issues: [],
    });
    expect(change(null, withTokens(), { ...secret, password: 'p' }).issues).toEqual([
      '/smtp/password invalid_value',
    ]);
    expect(change(both, config({ username: 'u' }), { oauth2: null, password: 'p' })).toEqual({
      changes: { [PASSWORD]: 'p', [SECRET]: null, [REFRESH]: null },
      issues: [],
    });
    expect(change(both, config({ username: 'u' }), { oauth2: null }).issues).toEqual([
      '/smtp/password required',
    ]);
  });

  it('are removed with the settings that use them', () => {
    expect(change(both, config()).issues).toEqual([]);
    expect(change(both, config()).changes).toEqual({ [SECRET]: null, [REFRESH]: null });
  });

  it.each<[string, EmailConfig]>([
    ['token endpoint', withTokens({}, { token_url: 'https://id.attacker.example/token' })],
    ['client', withTokens({}, { client_id: 'other' })],
    ['mail server', withTokens({ host: 'smtp.attacker.example' })],
    ['authority', withTokens({ ca: 'another' })],
  ])('are required again for another %s', (_what, after) => {
    expect(change(both, after).issues).toEqual([
      '/smtp/oauth2/client_secret required',
      '/smtp/oauth2/refresh_token required',
    ]);
    const given = { oauth2: { client_secret: 's', refresh_token: null } };
    expect(change(both, after, given)).toEqual({ changes: { [SECRET]: 's', [REFRESH]: null }, issues: [] });
  });

  it('stay while only the scope, the user name or the port changes', () => {
    const scoped = config({ username: 'v', port: 465, oauth2: { ...OAUTH2, scope: 'mail' } });
    expect(change(both, scoped)).toEqual({ changes: {}, issues: [] });
  });
});

/** A list with these senders, each an SMTP server. */
const listed = (...senders: JsonObject[]): EmailConfig => ({
  senders: senders.map(({ name, from_domains, smtp, ...rest }) => ({
    provider: 'smtp',
    ...(name === undefined ? {} : { name }),
    ...(from_domains === undefined ? {} : { from_domains }),
    smtp: { host: 'smtp.example.com', port: 587, ...(smtp as JsonObject) },
    ...rest,
  })),
  from: { email: 'shop@example.com' },
});

describe('the rules of a list of senders', () => {
  it('accept it instead of the settings of one provider', () => {
    expect(emailConfigIssues(listed({ name: 'main' }, { name: 'backup' }))).toEqual([]);
    const both = { ...config(), ...listed({}) };
    expect(emailConfigIssues(both)).toMatchObject([{ path: '', code: 'invalid_value' }]);
    expect(emailConfigIssues({ from: { email: 'shop@example.com' } })).toMatchObject([
      { path: '/smtp', code: 'required' },
    ]);
  });

  it('require unique names', () => {
    const twice = listed({ name: 'a' }, { name: 'a' });
    expect(emailConfigIssues(twice)).toMatchObject([{ path: '/senders/1/name' }]);
  });

  it('name each sender that has no name after its provider, with the first free number', () => {
    const namesOf = (...senders: JsonObject[]) => {
      const given = listed(...senders);
      expect(emailConfigIssues(given)).toEqual([]);
      return (settings.toStored(given as JsonObject).senders as JsonObject[]).map(({ name }) => name);
    };
    expect(namesOf({}, {}, {})).toEqual(['smtp', 'smtp-2', 'smtp-3']);
    expect(namesOf({}, { name: 'smtp' })).toEqual(['smtp-2', 'smtp']);
    expect(namesOf({}, {}, { name: 'smtp-2' })).toEqual(['smtp', 'smtp-3', 'smtp-2']);
  });

  it('require the settings of the provider, and validate them', () => {
    const missing = { senders: [{ provider: 'smtp' }], from: { email: 'shop@example.com' } };
    expect(emailConfigIssues(missing)).toMatchObject([{ path: '/senders/0/smtp', code: 'required' }]);
    expect(emailConfigIssues(listed({ smtp: { host: 'a b' } }))).toMatchObject([
      { path: '/senders/0/smtp/host' },
    ]);
  });

  it('require a sender for the domain of the From address', () => {
    const elsewhere = listed({ name: 'a', from_domains: ['example.net'] });
    expect(emailConfigIssues(elsewhere)).toMatchObject([{ path: '/senders' }]);
    expect(emailConfigIssues(listed({ name: 'a', from_domains: ['EXAMPLE.com'] }))).toEqual([]);
  });
});

describe('the credentials of listed senders', () => {
  const login = (name: string, host: string) => ({ name, smtp: { host, username: 'u' } });
  const before = {
    config: listed(login('main', 'a.example'), login('backup', 'b.example')),
    credentials: new Set(['senders/main/password', 'senders/backup/password']),
  };
  const change = (after: EmailConfig, given: JsonObject = { senders: after.senders as JsonValue }) =>
    credentials.change(before, { given, config: after });

  it('stay with the sender of their name, in any order, and are removed with it', () => {
    const swapped = listed(login('backup', 'b.example'), login('main', 'a.example'));
    expect(change(swapped)).toEqual({ changes: {}, issues: [] });
    expect(change(listed(login('backup', 'b.example')))).toEqual({
      changes: { 'senders/main/password': null },
      issues: [],
    });
  });

  it('are never sent to another server', () => {
    const swapped = listed(login('main', 'b.example'), login('backup', 'b.example'));
    expect(change(swapped).issues).toMatchObject([{ path: '/senders/0/smtp/password', code: 'required' }]);
  });

  it('do not move to the short form of another server', () => {
    const short = config({ username: 'u' });
    expect(change(short, { smtp: { username: 'u' } })).toMatchObject({
      changes: { 'senders/main/password': null, 'senders/backup/password': null },
      issues: [{ path: '/smtp/password', code: 'required' }],
    });
  });
});
