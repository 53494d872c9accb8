import { readPreviewedMessage } from '@postrider/db';
import {
  conflict,
  formatId,
  type JsonObject,
  TEST_EVENT_KEY,
  TEST_PAYLOAD,
  templateContextOf,
} from '@postrider/domain';
import { REQUEST_SCHEMA } from '../../delivery-runs/content.ts';
import { MEMORY } from '../../http/memory.ts';
import { ok, type Reply } from '../../http/reply.ts';
import { closedObject } from '../../openapi/body-of.ts';
import { EXAMPLE_IDS } from '../../openapi/examples.ts';
import { answers } from '../../openapi/operation.ts';
import * as json from '../../openapi/schema.ts';
import { turnOf, withBody } from '../operation.ts';
import { refuseUnprepared, UNSUBSCRIBE_URL } from '../templates/preview.ts';
import { patchedChannel } from './input.ts';
import { CHANNEL, CHANNEL_PATCH_SCHEMA, CHANNEL_PATH } from './schema.ts';

/** Optional body of POST /admin/v1/channels/{channelId}/preview. */
const PREVIEW_SCHEMA = closedObject([], { config: CHANNEL_PATCH_SCHEMA.properties.config });

export const CHANNEL_PREVIEW_SCHEMAS: json.Schemas = {
  ChannelPreview: json.record('What the channel would send.', {
    message_id: json.nullable(
      json.id('msg', 'The message; null: there is none, and it is the event of a test.'),
    ),
    event_key: json.text('Its event key.'),
    request: REQUEST_SCHEMA,
  }),
};

const EXAMPLE = {
  message_id: EXAMPLE_IDS.message,
  event_key: 'order.shipped',
  request: {
    method: 'POST',
    url: 'https://warehouse.example.com/hooks',
    headers: [['content-type', 'application/cloudevents+json; charset=utf-8']],
    body: '{"specversion":"1.0","type":"order.shipped","data":{"order_id":"A-1042"}}',
  },
};

/** Shows a config before it is saved. Sends and changes nothing. */
export const previewChannel = withBody({
  path: `${CHANNEL_PATH}/preview`,
  operationId: 'previewChannel',
  forConsumers: true,
  scope: 'messages:content',
  memory: MEMORY.page,
  summary: 'Preview what a webhook would send',
  description:
    'The request for the newest message that the channel takes by its `event_keys`, of the newest 200 and of those up to 128 KiB, with the ' +
    'config of the channel or with changes to it, as in a PATCH. Without such a message it is the event of a test. Nothing is sent. The signature ' +
    'is made with another secret, other secrets are masked. 409 for other kinds.',
  body: {
    use: 'optional',
    schema: PREVIEW_SCHEMA,
    examples: {
      cloudevents: { summary: 'As CloudEvents', value: { config: { body: 'cloudevents-structured' } } },
      github: { summary: 'Signed like GitHub', value: { config: { signature: { type: 'github' } } } },
    },
  },
  success: answers('ChannelPreview', EXAMPLE),
  errors: ['conflict', 'service_unavailable'],
  of: CHANNEL,
  run: async (request, { db, kinds, newId, renderer, isAddressAllowed }): Promise<Reply> => {
    const channel = request.found;
    const { config: shape, label, previewHeaders, targetOf, template: templates } = kinds.get(channel.kind);
    if (!previewHeaders) return conflict(`A preview does not exist for ${label}.`);
    const { config: given } = request.body;
    const patch: JsonObject = given === undefined ? {} : { config: given };
    const { config } = patchedChannel({ kinds, isAddressAllowed }, channel, { ...request, body: patch });
    const { message: found, template, resources } = await readPreviewedMessage(db, channel);
    const message = found ?? {
      ...{ id: newId(), eventKey: TEST_EVENT_KEY, recipient: {}, payload: TEST_PAYLOAD },
      ...{ createdAt: new Date(), stream: null },
    };
    const runId = newId();
    const unsubscribeUrl = message.stream === null ? null : UNSUBSCRIBE_URL;
    const context = templateContextOf({ runId, message, resources, unsubscribeUrl, sequence: null });
    const run = { config, template, context, test: found === null, operational: false };
    const rendered = await templates.render(
      renderer,
      { ...run, channelName: channel.name, readFile: async () => null },
      await turnOf(db, channel.environmentId, request.consumerId),
    );
    if (!rendered.ok) return refuseUnprepared(rendered);
    const target = targetOf?.(config) ?? {
      method: 'POST',
      url: String(shape.presentForAudit(config).url ?? ''),
    };
    const { content } = rendered;
    const headers = previewHeaders(config, {
      ...{ runId: formatId('run', runId), content, test: run.test },
      message: { ...message, id: formatId('msg', message.id) },
    });
    return ok({
      message_id: found && formatId('msg', found.id),
      event_key: message.eventKey,
      request: {
        ...target,
        headers: headers.map(([name, value]) => [name, value]),
        body: (content as { readonly body: string }).body,
      },
    });
  },
});
