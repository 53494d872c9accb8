import { formatId } from '@postrider/domain';
import type { useApi } from './database.ts';

/** An email template, as a request makes it. */
export const EMAIL_BODY = {
  event_key: 'order.shipped',
  channel_kind: 'email',
  subject: 'Order {{ payload.order_id }}',
  html: '<p>Hello {{ recipient.name }}: {{ payload.order_id }}</p>',
};

/** A webhook template, as a request makes it. */
export const WEBHOOK_BODY = {
  event_key: 'order.shipped',
  channel_kind: 'webhook',
  body: { text: 'Order {{ payload.order_id }}', n: 1 },
};

/** Where the templates of an environment are, which is named by its public id. */
export const listOf = (environment: string) => `/admin/v1/environments/${environment}/templates`;

export const codesOf = (warnings: { code: string }[]) => warnings.map(({ code }) => code);

/** What tests do with templates over the management API. */
export function templateActions(world: ReturnType<typeof useApi>) {
  return {
    async anEnvironment(channels: Parameters<typeof world.environment>[0] = {}) {
      const fixture = await world.environment(channels);
      return { ...fixture, id: formatId('env', fixture.environmentId) };
    },
    create: (environment: string, body: unknown) => world.api().admin('post', listOf(environment), body),
    act: (id: string, verb: string, body?: unknown) =>
      world.api().admin('post', `/admin/v1/templates/${id}/${verb}`, body),
  };
}
