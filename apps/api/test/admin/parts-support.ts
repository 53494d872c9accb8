import { formatId } from '@postrider/domain';
import { EMAIL, type useApi } from '../support/database.ts';

export const BLOCK = '{% block %}{% endblock %}';
export const LAYOUT = `<html lang="{{ locale }}" dir="{{ dir }}"><b>${BLOCK}</b></html>`;

/** An environment with an email channel, and requests about its layouts, partials, translations and templates. */
export async function environmentWithParts(world: ReturnType<typeof useApi>) {
  const fixture = await world.environment({ channels: [EMAIL] });
  const id = formatId('env', fixture.environmentId);
  const post = (path: string, body?: unknown) => world.api().admin('post', `/admin/v1/${path}`, body);
  return {
    id,
    environmentId: fixture.environmentId,
    post,
    get: (path: string) => world.api().admin('get', `/admin/v1/${path}`),
    add: (type: string, body: object) => post(`environments/${id}/${type}`, { activate: true, ...body }),
    addTemplate: (html: string, more: object = {}) =>
      post(`environments/${id}/templates`, {
        event_key: 'order.shipped',
        channel_kind: 'email',
        subject: 'Hi',
        html,
        activate: true,
        ...more,
      }),
    htmlOf: async (template: string, body: object = {}) => {
      const preview = await post(`templates/${template}/preview`, body).expect(200);
      return preview.body.rendered?.html ?? preview.body;
    },
    active: async (): Promise<string> => {
      const { body } = await world
        .api()
        .admin('get', `/admin/v1/environments/${id}/templates?active=true`)
        .expect(200);
      return body.data[0].id;
    },
  };
}
