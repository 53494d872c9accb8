import type { UnboundDatabase } from '@postrider/db';
import { createFixture, type FixtureInput } from '@postrider/db/testing';
import { formatId } from '@postrider/domain';
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
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

/** Makes a tenant with an environment, two channels, a template, an event type, and a message with runs to come. */
export async function populate(
  api: TestApi,
  db: UnboundDatabase,
  input: FixtureInput = {},
): Promise<Populated> {
  const made = await createFixture(
    db,
    { channels: [WEBHOOK, EMAIL], templates: [EMAIL_TEMPLATE], ...input },
    api.deps.secretBox,
  );
  const environmentId = formatId('env', made.environmentId);
  const addPart = async (type: string, body: object): Promise<string> => {
    const path = `/admin/v1/environments/${environmentId}/${type}`;
    return (await api.admin('post', path, body).expect(201)).body.id;
  };
  const eventType = `/admin/v1/environments/${environmentId}/event-types/${EVENT_KEY}`;
  await api.admin('put', eventType, { description: 'An order has left.' }).expect(200);
  const layout = await addPart('layouts', { name: 'main', content: '{% block %}{% endblock %}' });
  const partial = await addPart('partials', { name: 'footer', content: '<p>Bye</p>' });
  const translation = await addPart('translations', { locale: 'fr', messages: { bye: 'Salut' } });
  const sent = await api.postEvent(made.token, anEvent({ schedule_at: tomorrow() })).expect(201);
  const erasures = `/admin/v1/environments/${environmentId}/erasures`;
  const erasure = await api.admin('post', erasures, { email: 'nobody@example.com' }).expect(201);
  const suppressions = `/admin/v1/environments/${environmentId}/suppressions`;
  const suppression = await api.admin('post', suppressions, { email: 'nobody@example.com' }).expect(201);
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
      layoutId: layout,
      partialId: partial,
      translationId: translation,
      eventKey: EVENT_KEY,
      messageId: sent.body.message_id,
      q: sent.body.message_id,
      erasureId: erasure.body.id,
      suppressionId: suppression.body.id,
      deliveryRunId: sent.body.delivery_runs[0].id,
    },
  };
}

/** Begins a bulk replay of all messages of an environment, and gives its id. */
export async function replayMatching(api: TestApi, environmentId: string): Promise<string> {
  const path = `/admin/v1/environments/${environmentId}/replays`;
  const { body } = await api.admin('post', path, { filter: {} }).expect(201);
  return body.id;
}
