import { describe, expect, it } from '@postrider/testing';
import { channelActions, detailsOf, HOOK, MAIL, mailWithLogin, PASSWORD } from '../support/channels.ts';
import { useApi } from '../support/database.ts';

const { anEnvironment, post } = channelActions(useApi());

describe('POST /admin/v1/environments/{id}/channels', () => {
  it.each([
    [{}, [['/kind', 'required']]],
    [[], [['', 'invalid_type']]],
    [{ kind: 'sms', name: 'a', config: {} }, [['/kind', 'invalid_value']]],
    [{ kind: 7, name: 'a', config: {} }, [['/kind', 'invalid_value']]],
    [
      { kind: 'webhook' },
      [
        ['/name', 'required'],
        ['/config', 'required'],
      ],
    ],
    [
      { ...HOOK, config: MAIL.config },
      [
        ['/config/url', 'required'],
        ['/config/smtp', 'unknown_field'],
        ['/config/from', 'unknown_field'],
      ],
    ],
    [{ ...HOOK, secret: 'whsec_a' }, [['/secret', 'unknown_field']]],
    [{ ...HOOK, name: '' }, [['/name', 'too_short']]],
    [{ ...HOOK, name: 'a\nb' }, [['/name', 'invalid_format']]],
    [{ ...HOOK, event_keys: [] }, [['/event_keys', 'too_few']]],
    [{ ...HOOK, event_keys: ['a.b', 'a.b'] }, [['/event_keys', 'duplicate']]],
    [{ ...HOOK, event_keys: ['a.b', 'order'] }, [['/event_keys/1', 'invalid_format']]],
    [{ ...HOOK, retry: { max_attempts: 3 } }, [['/retry', 'invalid_value']]],
    [
      { ...HOOK, retry: { max_attempts: 2, delays_seconds: [] } },
      [['/retry/delays_seconds', 'invalid_value']],
    ],
    [
      { ...HOOK, retry: { max_attempts: 0, delays_seconds: [-1] } },
      [
        ['/retry/max_attempts', 'too_small'],
        ['/retry/delays_seconds/0', 'too_small'],
      ],
    ],
    [{ ...HOOK, config: { url: 'ftp://a.example' } }, [['/config/url', 'invalid_format']]],
    [{ ...HOOK, config: { url: `https://a.example/${'x'.repeat(2_100)}` } }, [['/config/url', 'too_long']]],
    [{ ...HOOK, config: { ...HOOK.config, timeout_ms: 500 } }, [['/config/timeout_ms', 'too_small']]],
    [{ ...HOOK, config: { ...HOOK.config, timeout_ms: 1_500.5 } }, [['/config/timeout_ms', 'invalid_type']]],
    [
      { ...HOOK, config: { ...HOOK.config, headers: { Host: 'a', 'x y': 'b' } } },
      [
        ['/config/headers/Host', 'invalid_value'],
        ['/config/headers/x y', 'invalid_format'],
      ],
    ],
    [
      {
        ...HOOK,
        config: {
          ...HOOK.config,
          headers: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`x-${n}`, 'a'])),
        },
      },
      [['/config/headers', 'too_many']],
    ],
    [
      { ...MAIL, config: { ...MAIL.config, from: { email: 'Shop <a@b.example>' } } },
      [['/config/from/email', 'invalid_format']],
    ],
    [
      { ...MAIL, config: { ...MAIL.config, smtp: { host: 'a b', port: 0 } } },
      [
        ['/config/smtp/port', 'too_small'],
        ['/config/smtp/host', 'invalid_format'],
      ],
    ],
    [
      { kind: 'webhook', event_keys: ['Order'], config: { url: 'ftp://x', more: 1 } },
      [
        ['/name', 'required'],
        ['/config/more', 'unknown_field'],
        ['/event_keys/0', 'invalid_format'],
        ['/config/url', 'invalid_format'],
      ],
    ],
    // The config of an unknown kind cannot be validated.
    [{ kind: 'fax', name: 'a\nb', event_keys: 1, config: 2 }, [['/kind', 'invalid_value']]],
    [
      { kind: 'webhook', name: 1, event_keys: 1, retry: 1, config: 1 },
      [
        ['/name', 'invalid_type'],
        ['/event_keys', 'invalid_type'],
        ['/retry', 'invalid_type'],
        ['/config', 'invalid_type'],
      ],
    ],
    [mailWithLogin({ password: null }), [['/config/smtp/password', 'required']]],
    [mailWithLogin({ username: null }), [['/config/smtp/username', 'required']]],
  ])('answers 422 that reports every issue: %j', async (body, issues) => {
    const { id } = await anEnvironment();
    const response = await post(id, body).expect(422);
    expect(detailsOf(response)).toEqual(issues);
    expect(JSON.stringify(response.body)).not.toContain(PASSWORD);
  });

  it('names the kinds and values that there are', async () => {
    const { id } = await anEnvironment();
    const messageOf = async (body: unknown) =>
      (await post(id, body).expect(422)).body.error.details[0].message;
    expect(await messageOf({ kind: 'sms', name: 'a', config: {} })).toMatch(
      /^must be one of (?=.*\bemail\b)(?=.*\bkafka\b).*\bwebhook\b/,
    );
    expect(await messageOf({ ...HOOK, ordering: 'yes' })).toBe('must be one of none, key');
  });
});
