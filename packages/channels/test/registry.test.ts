import { describe, expect, it } from '@postrider/testing';
import {
  channelKinds,
  createChannelRegistry,
  createEmailKind,
  EMAIL_PROVIDERS,
  webhookKind,
} from '../src/index.ts';

describe('the registry', () => {
  it('has the kinds of the service', () => {
    expect(channelKinds.kinds).toEqual(['amqp', 'email', 'webhook']);
    expect(() => channelKinds.get('fax')).toThrow('fax');
    expect(channelKinds.find('fax')).toBeNull();
  });

  it('refuses two kinds of one name, and a name that cannot be part of a key', () => {
    expect(() => createChannelRegistry([webhookKind, webhookKind])).toThrow('same name');
    expect(() => createChannelRegistry([{ ...webhookKind, kind: 'web:hook' }])).toThrow('web:hook');
  });
});

describe('attempt error codes', () => {
  it('are those of docs/specification.md', () => {
    expect([...channelKinds.attemptErrorCodes].sort()).toEqual(
      [
        'scheduled_cancelled webhook_http_error webhook_timeout webhook_connection_failed webhook_dns_failed',
        'webhook_tls_failed webhook_redirect_refused webhook_address_blocked webhook_endpoint_gone webhook_auth_failed',
        'smtp_connection_failed smtp_auth_failed smtp_temporary_rejection smtp_permanent_rejection',
        'smtp_outcome_unknown template_render_failed channel_disabled expired recipient_suppressed worker_lost',
        'amqp_connection_failed amqp_auth_failed amqp_rejected amqp_outcome_unknown',
        'email_connection_failed email_auth_failed email_temporary_rejection email_permanent_rejection email_outcome_unknown',
      ]
        .join(' ')
        .split(' ')
        .sort(),
    );
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

  it('has exactly one of several providers', () => {
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
