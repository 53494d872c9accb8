import { formatId } from '@postrider/domain';
import { expect } from '@postrider/testing';
import type { TestApi } from './api.ts';
import { EMAIL, type useApi } from './database.ts';

type World = ReturnType<typeof useApi>;

/** The lock of the rights of operators, which a change of a role takes. */
export const RIGHTS_LOCK = 7_411_026;

/** A document with something in each section that an environment has. */
export const RICH = {
  version: 1,
  settings: { unmatched_events: 'store', default_locale: 'de', stream_names: { news: { en: 'News' } } },
  event_types: [
    {
      event_key: 'order.shipped',
      description: 'Shipped.',
      payload_schema: { type: 'object', examples: [{ order_id: 'A-1' }], properties: { order_id: {} } },
      search_keys: ['/order_id'],
    },
    { event_key: 'news.sent', stream: 'news' },
  ],
  // Each uses one that comes after it.
  partials: [
    { name: 'footer', content: "<p>{% render 'imprint' %}{{ 'thanks' | t }}</p>" },
    { name: 'imprint', content: '<i>Shop</i>' },
  ],
  layouts: [
    { name: 'main', content: "<html>{% block %}{% endblock %}{% render 'footer' %}</html>" },
    {
      name: 'mail',
      content:
        '<mjml><mj-body><mj-section><mj-column><mj-text>{% block %}{% endblock %}</mj-text></mj-column></mj-section></mj-body></mjml>',
    },
  ],
  translations: [
    { locale: 'de', messages: { thanks: 'Danke' } },
    { locale: 'fr-CA', messages: { thanks: 'Merci' } },
  ],
  templates: [
    {
      event_key: 'order.shipped',
      channel_kind: 'email',
      subject: 'Order {{ payload.order_id }}',
      html: '{% layout "main" %}<b>{{ payload.order_id }}</b>',
      headers: { 'X-Shop': 'de' },
    },
    { event_key: 'news.sent', channel_kind: 'email', subject: 'News', html: '{% layout "mail" %}News' },
    { event_key: 'order.shipped', channel_kind: 'webhook', body: { id: '{{ payload.order_id }}' } },
  ],
  channels: [
    {
      kind: 'webhook',
      name: 'Orders of all shops',
      event_keys: ['order.*'],
      filter: { payload: { order_id: { $exist: true } } },
      retry: { max_attempts: 3, delays_seconds: [1, 60] },
      max_per_second: 5,
      config: {
        url: 'https://hooks.example.com/in',
        secret_headers: { 'X-Key': 'hunter2-header' },
        auth: { type: 'bearer', token: 'hunter2-token' },
      },
    },
    {
      kind: 'email',
      name: 'Mail',
      config: {
        ...EMAIL.config,
        smtp: { ...EMAIL.config.smtp, username: 'shop', password: 'hunter2-password' },
      },
    },
  ],
  roles: [{ code: 'on-call', name: 'On call', scopes: ['messages:read', 'channels:write'] }],
} as const;

export const pathOf = (environmentId: string, more = '') =>
  `/admin/v1/environments/${formatId('env', environmentId)}/configuration${more}`;

// biome-ignore lint/suspicious/noExplicitAny: documents are compared as they are
export type Document = any;

/** An environment without channels, and the calls of its configuration. */
export async function anEnvironment(of: World) {
  const { environmentId, token, tenantId } = await of.environment({ channels: [] });
  const api = (): TestApi => of.api();
  const call = (path: string, body: object) => api().admin('post', pathOf(environmentId, path), body);
  const plan = (document: Document, more: object = {}) => call('/plan', { document, ...more });
  return {
    environmentId,
    token,
    tenantId,
    api,
    export: async () => (await api().admin('get', pathOf(environmentId)).expect(200)).body,
    drift: async () => (await api().admin('get', pathOf(environmentId, '/drift')).expect(200)).body,
    plan,
    changes: async (document: Document, more: object = {}) =>
      (await plan(document, more).expect(200)).body.changes.map(
        ({ action, kind, key }: Record<string, string>) => `${action} ${kind} ${key}`,
      ),
    apply: async (document: Document, more: object = {}) => {
      const { body } = await plan(document, more);
      expect(body.error).toBeUndefined();
      return call('/apply', { document, hash: body.hash, ...more });
    },
    applyHash: (document: Document, hash: string) => call('/apply', { document, hash }),
  };
}

const { roles: _roles, ...withoutRoles } = RICH;

/** The part of {@link RICH} that belongs to an environment. */
export const WITHOUT_ROLES = withoutRoles;

/** An environment to which {@link RICH} was applied, without its roles. */
export async function aRichEnvironment(of: World) {
  const environment = await anEnvironment(of);
  const { status, body } = await environment.apply(WITHOUT_ROLES);
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
  return environment;
}
