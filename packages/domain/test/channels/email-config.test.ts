import { describe, expect, it } from '@postrider/testing';
import {
  credentialFaults,
  EMAIL_CONFIG_RULES,
  type EmailConfig,
  type PasswordChange,
} from '../../src/index.ts';

const emailConfigFaults = (one: EmailConfig) => EMAIL_CONFIG_RULES.flatMap(({ faultsOf }) => faultsOf(one));

const config = (smtp: Partial<EmailConfig['smtp']> = {}): EmailConfig => ({
  smtp: { host: 'smtp.example.com', port: 587, ...smtp },
  from: { email: 'shop@example.com' },
});

describe('the rules of an email config', () => {
  it.each(['smtp.example.com', 'localhost', 'my_mail', '10.0.0.1', '2001:db8::1'])(
    'take the host %s',
    (host) => {
      expect(emailConfigFaults(config({ host }))).toEqual([]);
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
    expect(emailConfigFaults(config({ host })).map(({ path }) => path)).toEqual(['/smtp/host']);
  });

  it('refuse line breaks in what stands in headers and commands', () => {
    const faulty = {
      ...config({ username: 'a\nb' }),
      from: { email: 'a@example.com', name: 'Shop\r\nBcc: b' },
    };
    expect(emailConfigFaults(faulty).map(({ path }) => path)).toEqual(['/smtp/username', '/from/name']);
  });
});

describe('the rules of SMTP credentials', () => {
  const keep: PasswordChange = { kind: 'keep' };
  const remove: PasswordChange = { kind: 'remove' };
  const replace: PasswordChange = { kind: 'replace', password: 'p' };
  const stored = { config: config({ username: 'u' }), hasPassword: true };
  const none = { config: config(), hasPassword: false };
  const pathsOf = (...parameters: Parameters<typeof credentialFaults>) =>
    credentialFaults(...parameters).map(({ path }) => path);

  it('want a user name and a password together, or neither', () => {
    expect(pathsOf(null, { config: config(), password: keep })).toEqual([]);
    expect(pathsOf(null, { config: config({ username: 'u' }), password: replace })).toEqual([]);
    expect(pathsOf(null, { config: config({ username: 'u' }), password: keep })).toEqual(['/smtp/password']);
    expect(pathsOf(null, { config: config(), password: replace })).toEqual(['/smtp/username']);
    expect(pathsOf(none, { config: config({ username: 'u' }), password: keep })).toEqual(['/smtp/password']);
    expect(pathsOf(stored, { config: config({ username: 'u' }), password: remove })).toEqual([
      '/smtp/password',
    ]);
    expect(pathsOf(stored, { config: config(), password: keep })).toEqual(['/smtp/username']);
    expect(pathsOf(stored, { config: config(), password: remove })).toEqual([]);
  });

  it('keep the stored password while only the user name or port changes', () => {
    expect(pathsOf(stored, { config: config({ username: 'v', port: 465 }), password: keep })).toEqual([]);
    expect(
      pathsOf(stored, { config: config({ username: 'u', host: 'SMTP.example.com' }), password: keep }),
    ).toEqual([]);
  });

  it('want the password anew when the host changes', () => {
    const elsewhere = config({ username: 'u', host: 'smtp.attacker.example' });
    expect(pathsOf(stored, { config: elsewhere, password: keep })).toEqual(['/smtp/password']);
    expect(pathsOf(stored, { config: elsewhere, password: replace })).toEqual([]);
  });
});
