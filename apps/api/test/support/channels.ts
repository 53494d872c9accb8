import { formatId, parseId } from '@postrider/domain';
import type { useApi } from './database.ts';

export const HOOK = {
  kind: 'webhook',
  name: 'warehouse',
  config: { url: 'https://hooks.example.com/in' },
};
export const MAIL = {
  kind: 'email',
  name: 'mail',
  config: { smtp: { host: 'smtp.example.com', port: 587 }, from: { email: 'shop@example.com' } },
};
export const PASSWORD = 'marked-password-7731';

/** {@link MAIL} with a user name and {@link PASSWORD}, and what else is given. */
export function mailWithLogin(smtp: object = {}) {
  const login = { username: 'shop', password: PASSWORD };
  return { ...MAIL, config: { ...MAIL.config, smtp: { ...MAIL.config.smtp, ...login, ...smtp } } };
}

/** Path and code of each detail of a 422. */
export function detailsOf(response: {
  body: { error: { details: { path: string; code: string }[] } };
}): [string, string][] {
  return response.body.error.details.map(({ path, code }) => [path, code]);
}

export const pathOf = (id: string) => `/admin/v1/channels/${id}`;
export const listOf = (environment: string) => `/admin/v1/environments/${environment}/channels`;

/** What tests of the management of channels do again and again. */
export function channelActions(world: ReturnType<typeof useApi>) {
  const post = (environment: string, body: unknown) => world.api().admin('post', listOf(environment), body);

  async function anEnvironment(kinds?: ('email' | 'webhook')[]) {
    const plan = kinds ? { plan: { channelKinds: kinds } } : {};
    const fixture = await world.environment({ channels: [], ...plan });
    return { ...fixture, id: formatId('env', fixture.environmentId) };
  }
  return {
    anEnvironment,
    post,
    patch: (id: string, body: unknown) => world.api().admin('patch', pathOf(id), body),
    get: (id: string) => world.api().admin('get', pathOf(id)),
    /** Makes a channel in an environment of its own and returns the answer. */
    make: async (body: unknown = HOOK) => (await post((await anEnvironment()).id, body).expect(201)).body,
    rowOf: (id: string) => world.db().channel.findUniqueOrThrow({ where: { id: parseId('chn', id) ?? '' } }),
    auditOf: (id: string) =>
      world.db().auditEntry.findMany({ where: { resourceId: id }, orderBy: { id: 'asc' } }),
  };
}
