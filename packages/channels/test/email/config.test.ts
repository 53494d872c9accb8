import { describe, expect, it } from '@postrider/testing';
import type { SecretChange } from '../../src/channel.ts';
import { type EmailConfig, emailConfigRules, emailSecret } from '../../src/email/config.ts';
import { EMAIL_PROVIDERS } from '../../src/email/providers/index.ts';
import type { SmtpSettings } from '../../src/email/providers/smtp.ts';

const emailConfigIssues = (one: EmailConfig) =>
  emailConfigRules(EMAIL_PROVIDERS).flatMap(({ issuesOf }) => issuesOf(one));
const secret = emailSecret(EMAIL_PROVIDERS);

const config = (smtp: Partial<SmtpSettings> = {}): EmailConfig => ({
  smtp: { host: 'smtp.example.com', port: 587, ...smtp },
  from: { email: 'shop@example.com' },
});

describe('the rules of an email config', () => {
  it.each(['smtp.example.com', 'localhost', 'my_mail', '10.0.0.1', '2001:db8::1'])(
    'take the host %s',
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

  it('refuse line breaks in what stands in headers and commands', () => {
    const invalid = {
      ...config({ username: 'a\nb' }),
      from: { email: 'a@example.com', name: 'Shop\r\nBcc: b' },
    };
    expect(emailConfigIssues(invalid).map(({ path }) => path)).toEqual(['/smtp/username', '/from/name']);
  });
});

describe('the rules of SMTP credentials', () => {
  const keep: SecretChange = { kind: 'keep' };
  const remove: SecretChange = { kind: 'remove' };
  const replace: SecretChange = { kind: 'replace', secret: 'p' };
  const stored = { config: config({ username: 'u' }), hasSecret: true };
  const none = { config: config(), hasSecret: false };
  const pathsOf = (...parameters: Parameters<typeof secret.issuesOf>) =>
    secret.issuesOf(...parameters).map(({ path }) => path);

  it('want a user name and a password together, or neither', () => {
    expect(pathsOf(null, { config: config(), secret: keep })).toEqual([]);
    expect(pathsOf(null, { config: config({ username: 'u' }), secret: replace })).toEqual([]);
    expect(pathsOf(null, { config: config({ username: 'u' }), secret: keep })).toEqual(['/smtp/password']);
    expect(pathsOf(null, { config: config(), secret: replace })).toEqual(['/smtp/username']);
    expect(pathsOf(none, { config: config({ username: 'u' }), secret: keep })).toEqual(['/smtp/password']);
    expect(pathsOf(stored, { config: config({ username: 'u' }), secret: remove })).toEqual([
      '/smtp/password',
    ]);
    expect(pathsOf(stored, { config: config(), secret: keep })).toEqual(['/smtp/username']);
    expect(pathsOf(stored, { config: config(), secret: remove })).toEqual([]);
  });

  it('keep the stored password while only the user name or port changes', () => {
    expect(pathsOf(stored, { config: config({ username: 'v', port: 465 }), secret: keep })).toEqual([]);
    expect(
      pathsOf(stored, { config: config({ username: 'u', host: 'SMTP.example.com' }), secret: keep }),
    ).toEqual([]);
  });

  it('want the password again when the host changes', () => {
    const elsewhere = config({ username: 'u', host: 'smtp.attacker.example' });
    expect(pathsOf(stored, { config: elsewhere, secret: keep })).toEqual(['/smtp/password']);
    expect(pathsOf(stored, { config: elsewhere, secret: replace })).toEqual([]);
  });
});
