import type { Fixture } from '@postrider/db/testing';
import { parseId } from '@postrider/domain';
import { type Channels, TEMPLATE } from '../stack/stack.ts';

type Reply = Readonly<Record<string, string>>;

const PLAN = 'upgrade';

/**
 * Creates a tenant with an environment, the channels, the email template and a token. It uses the management API, because
 * only the running release knows its schema.
 */
export async function createTenant(url: string, adminToken: string, channels: Channels): Promise<Fixture> {
  async function create(path: string, body: object): Promise<Reply> {
    const response = await fetch(`${url}/admin/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (response.status !== 201) throw new Error(`POST ${path} was answered ${response.status}: ${text}`);
    return JSON.parse(text) as Reply;
  }
  const idOf = (prefix: Parameters<typeof parseId>[0], { id = '' }: Reply) => parseId(prefix, id) ?? '';

  await create('plans', { code: PLAN, name: 'Upgrade' });
  const tenant = await create('tenants', { name: 'Acme', plan: PLAN });
  const environment = await create(`tenants/${tenant.id}/environments`, { name: 'production' });
  const inEnvironment = `environments/${environment.id}`;
  const created = [];
  for (const { kind, name, eventKeys = ['*'], config, retry } of channels) {
    const channel = { kind, name, event_keys: eventKeys, config, retry };
    created.push(await create(`${inEnvironment}/channels`, channel));
  }
  const { eventKey, channelKind, ...template } = TEMPLATE;
  const ofKind = { event_key: eventKey, channel_kind: channelKind };
  const version = await create(`${inEnvironment}/templates`, { ...ofKind, ...template });
  const token = await create(`${inEnvironment}/tokens`, { name: 'client' });
  return {
    tenantId: idOf('ten', tenant),
    planCode: PLAN,
    environmentId: idOf('env', environment),
    tokenId: idOf('tok', token),
    token: token.token ?? '',
    channels: created.map((channel) => ({ id: idOf('chn', channel), secret: channel.secret ?? null })),
    templates: [{ id: idOf('tpl', version), version: Number(version.version) }],
  };
}
