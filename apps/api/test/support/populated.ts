import { randomUUID } from 'node:crypto';
import type { UnboundDatabase } from '@postrider/db';
import { createFixture, type FixtureInput } from '@postrider/db/testing';
import { formatId, TOKEN_SCOPES } from '@postrider/domain';
import { anEvent, type TestApi } from './api.ts';
import { EMAIL, EMAIL_TEMPLATE, WEBHOOK } from './database.ts';

/** An environment in which every operation has something to work on. Ids are public ones. */
export interface Populated {
  readonly token: string;
  readonly emailChannelId: string;
  /** By the names of required parameters in the OpenAPI document; a bulk replay is made by `replayMatching`. */
  readonly parameters: Readonly<Record<string, string>>;
}

const EVENT_KEY = 'order.shipped';
/** The parts that a request adds to an environment, by the parameter that names one: the field `id` of the answer. */
const PARTS = {
  eventKey: {
    method: 'put',
    path: `event-types/${EVENT_KEY}`,
    body: { description: 'An order has left.' },
    id: 'event_key',
  },
  layoutId: {
    method: 'post',
    path: 'layouts',
    body: { name: 'main', content: '{% block %}{% endblock %}' },
    id: 'id',
  },
  partialId: {
    method: 'post',
    path: 'partials',
    body: { name: 'footer', content: '<p>Bye</p>' },
    id: 'id',
  },
  translationId: {
    method: 'post',
    path: 'translations',
    body: { locale: 'fr', messages: { bye: 'Salut' } },
    id: 'id',
  },
  consumer: { method: 'put', path: 'consumers/org_42', body: { name: 'Acme' }, id: 'id' },
  erasureId: { method: 'post', path: 'erasures', body: { email: 'nobody@example.com' }, id: 'id' },
  suppressionId: { method: 'post', path: 'suppressions', body: { email: 'nobody@example.com' }, id: 'id' },
} as const;
const STREAM = 'newsletter';
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

/**
 * Makes a tenant with an environment, two channels, a template, a message with runs to come, and one of each part of the
 * environment whose parameter `needs` accepts: an event type, a layout, a partial, a translation, an erasure and a
 * suppression, each by a request; and a paused
 * stream, which the service makes.
 */
export async function populate(
  api: TestApi,
  db: UnboundDatabase,
  input: FixtureInput = {},
  needs: (parameter: string) => boolean = () => true,
): Promise<Populated> {
  const made = await createFixture(
    db,
    {
      ...{ channels: [WEBHOOK, EMAIL], templates: [EMAIL_TEMPLATE] },
      settings: { streamNames: { newsletter: { en: 'Newsletter' } } },
      scopes: Object.keys(TOKEN_SCOPES),
      ...input,
    },
    api.deps.secretBox,
  );
  const environmentId = formatId('env', made.environmentId);
  const parts: Record<string, string> = {};
  for (const [parameter, { method, path, body, id }] of Object.entries(PARTS)) {
    if (!needs(parameter)) continue;
    const answer = await api.admin(method, `/admin/v1/environments/${environmentId}/${path}`, body);
    if (answer.status > 201) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    parts[parameter] = answer.body[id];
  }
  if (needs('stream')) {
    await db.$executeRaw`
      INSERT INTO stream_pauses (environment_id, stream, paused_at, delivered, complained)
      VALUES (${made.environmentId}::uuid, ${STREAM}, now(), 1000, 5)`;
  }
  const { consumer } = parts;
  if (consumer !== undefined) {
    const channels = `/admin/v1/environments/${environmentId}/consumers/${consumer}/channels`;
    await api.admin('post', channels, WEBHOOK).expect(201);
  }
  const event = anEvent({ schedule_at: tomorrow(), ...(consumer !== undefined && { consumer }) });
  const sent = await api.postEvent(made.token, event).expect(201);
  const runs: readonly { id: string; channel: { id: string } }[] = sent.body.delivery_runs;
  // Operations on the deliveries of a consumer know only those to its own channels.
  const own = runs.find(({ channel }) => !made.channels.some(({ id }) => formatId('chn', id) === channel.id));
  const [webhook, email] = made.channels.map(({ id }) => formatId('chn', id));
  return {
    token: made.token,
    emailChannelId: email ?? '',
    parameters: {
      code: made.planCode ?? '',
      tenantId: formatId('ten', made.tenantId),
      environmentId,
      tokenId: formatId('tok', made.tokenId),
      channelId: webhook ?? '',
      templateId: formatId('tpl', made.templates[0]?.id ?? ''),
      messageId: sent.body.message_id,
      q: sent.body.message_id,
      deliveryRunId: (own ?? runs[0])?.id ?? '',
      eventKey: EVENT_KEY,
      ...(await addOperators(api, needs)),
      stream: STREAM,
      ...parts,
    },
  };
}

/** Adds an operator, a token and a role where they are needed. */
async function addOperators(
  api: TestApi,
  needs: (parameter: string) => boolean,
): Promise<Record<string, string>> {
  const made: Record<string, string> = {};
  const code = `role-${randomUUID()}`;
  for (const [parameter, path, body, id] of [
    ['operatorId', 'operators', { email: `${code}@example.com`, name: 'Joan', role: 'viewer' }, 'id'],
    ['operatorTokenId', 'operator-tokens', { name: 'pipeline', role: 'viewer' }, 'id'],
    ['roleCode', 'roles', { code, name: 'Own', scopes: ['messages:read'] }, 'code'],
  ] as const) {
    if (!needs(parameter)) continue;
    const { body: answer } = await api.admin('post', `/admin/v1/${path}`, body).expect(201);
    made[parameter] = answer[id];
  }
  return made;
}

/** Begins a bulk replay of all messages of an environment, and gives its id. */
export async function replayMatching(api: TestApi, environmentId: string): Promise<string> {
  const path = `/admin/v1/environments/${environmentId}/replays`;
  const { body } = await api.admin('post', path, { filter: {} }).expect(201);
  return body.id;
}
