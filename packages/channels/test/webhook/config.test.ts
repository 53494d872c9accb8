import { describe, expect, it } from '@postrider/testing';
import { webhookCredentials } from '../../src/webhook/authentication.ts';
import { WEBHOOK_SETTINGS, type WebhookConfig } from '../../src/webhook/config.ts';
import { webhookKind } from '../../src/webhook/index.ts';
import { isReservedHeader } from '../../src/webhook/request.ts';
import { concealWebhookUrl } from '../../src/webhook/url-rules.ts';

const webhookConfigIssues = (config: WebhookConfig) =>
  WEBHOOK_SETTINGS.config.rules.flatMap(({ issuesOf }) => issuesOf(config));

const pathsOf = (url: string, headers: Record<string, string> = {}) =>
  webhookConfigIssues({ url, headers }).map(({ path }) => path);

describe('the rules of a webhook config', () => {
  it.each([
    'https://hooks.example.com/in?key=1',
    'https://hooks.example.com/@in?to=a@b',
    'https://hooks.example.com?to=a@b',
    'http://127.0.0.1:8080/',
    'HTTPS://[2001:db8::1]:8443/a',
    'https://münchen.example/haken',
  ])('take the URL %s', (url) => {
    expect(pathsOf(url)).toEqual([]);
  });

  it.each([
    'hooks.example.com/in',
    '//hooks.example.com',
    'ftp://hooks.example.com',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'http:///in',
    'https:hooks.example.com',
    'https://user@hooks.example.com',
    'https://user:secret@hooks.example.com',
    'https://@hooks.example.com/',
    'http://:@hooks.example.com',
    'https://hooks.example.com/#part',
    'https://hooks.example.com/#',
    ' https://hooks.example.com/',
    'https://hooks.exa\nmple.com/',
    'https://hooks.example.com/a b',
    'https://[::1',
    'https://1.2.3.4.5/',
    'https:\\\\hooks.example.com',
    'https://hooks.example.com\\@other.example/',
  ])('refuse the URL %j', (url) => {
    expect(pathsOf(url)).toEqual(['/url']);
  });

  it.each([
    ['X-Key', 'abc'],
    ['authorization', 'Bearer abc'],
    ['Content-Type', 'application/vnd.shop+json'],
    ['x', 'a\tb c'],
  ])('take the header %s', (name, value) => {
    expect(pathsOf('https://a.example', { [name]: value })).toEqual([]);
  });

  it.each([
    ['Host', 'a'],
    ['Content-Length', '1'],
    ['Transfer-Encoding', 'chunked'],
    ['CONNECTION', 'close'],
    ['webhook-signature', 'v1,a'],
    ['Webhook-Anything', 'a'],
    ['Proxy-Authorization', 'a'],
    ['postrider-test', 'true'],
    ['Content-Encoding', 'gzip'],
  ])('refuse the reserved header %s', (name, value) => {
    expect(isReservedHeader(name)).toBe(true);
    expect(webhookConfigIssues({ url: 'https://a.example', headers: { [name]: value } })).toMatchObject([
      { path: `/headers/${name}`, code: 'invalid_value' },
    ]);
  });

  it.each([
    ['a b', 'x', '/headers/a b'],
    ['', 'x', '/headers/'],
    ['a/b', 'x', '/headers/a~1b'],
    ['ä', 'x', '/headers/ä'],
    ['a:b', 'x', '/headers/a:b'],
    ['x-key', 'a\r\nHost: b', '/headers/x-key'],
    ['x-key', ' a', '/headers/x-key'],
    ['x-key', 'ü', '/headers/x-key'],
  ])('refuse the header %j with the value %j', (name, value, path) => {
    expect(pathsOf('https://a.example', { [name]: value })).toEqual([path]);
  });

  it('refuse a header with the name of the prototype', () => {
    const headers = Object.fromEntries([['__proto__', 'x']]);
    expect(pathsOf('https://a.example', headers)).toEqual(['/headers/__proto__']);
  });

  it('refuse a header that differs only in case from another one', () => {
    expect(
      webhookConfigIssues({ url: 'https://a.example', headers: { 'X-Key': 'a', 'x-key': 'b' } }),
    ).toEqual([expect.objectContaining({ path: '/headers/x-key', code: 'duplicate' })]);
  });

  it('refuse headers above the total length', () => {
    const headers = Object.fromEntries([1, 2, 3].map((n) => [`x-${n}`, 'v'.repeat(2_000)]));
    expect(pathsOf('https://a.example', headers)).toEqual(['/headers']);
  });
});

describe('the URL in records', () => {
  it.each([
    ['https://hooks.example.com/in', 'https://hooks.example.com/in'],
    ['https://hooks.example.com/order-notifications/v2', 'https://hooks.example.com/order-notifications/v2'],
    ['https://a.example/x?token=s3cret&v=1', 'https://a.example/x?token=(not kept)&v=(not kept)'],
    ['https://a.example?s3cret&x=', 'https://a.example?(not kept)&x='],
    ['https://a.example/x?a=b=c?d', 'https://a.example/x?a=(not kept)'],
    [
      'https://chat.example/services/T01ABCDEF/B01ABCDEF/x8Kd93hFq20sLm4PzT61vBn7',
      'https://chat.example/services/T01ABCDEF/B01ABCDEF/(not kept)',
    ],
  ])('of %s is %s', (url, kept) => {
    expect(concealWebhookUrl(url)).toBe(kept);
  });
});

it('omits the query of a token URL in the audit log', () => {
  const auth = {
    type: 'oauth2',
    token_url: 'https://a.example/token?key=s3cret',
    client_id: 'shop',
  } as const;
  const kept = webhookKind.config.presentForAudit?.({ url: 'https://b.example', auth });
  expect(kept).toMatchObject({ auth: { ...auth, token_url: 'https://a.example/token?key=(not kept)' } });
});

it('requires credentials again if the authorities of the endpoint change', () => {
  const config: WebhookConfig = { url: 'https://a.example', auth: { type: 'bearer' }, tls: { ca: 'one' } };
  const before = { config, credentials: new Set(['auth/token']) };
  const { tls: _tls, ...withoutTls } = config;
  const issuesOf = (tls: WebhookConfig['tls']) =>
    webhookCredentials.change(before, { given: {}, config: { ...withoutTls, ...(tls ? { tls } : {}) } })
      .issues;
  expect(issuesOf({ ca: 'one' })).toEqual([]);
  for (const tls of [{ ca: 'other' }, undefined]) {
    expect(issuesOf(tls)).toMatchObject([{ path: '/auth/token', code: 'required' }]);
  }
});
