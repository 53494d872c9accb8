import { formatId } from '@postrider/domain';
import { EMAIL } from './database.ts';

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
