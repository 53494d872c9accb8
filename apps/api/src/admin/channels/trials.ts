import { readPreviewedMessage, TRIAL_MESSAGES, tryFilterOnMessages } from '@postrider/db';
import {
  CHANNEL_SETTINGS_SCHEMAS,
  compileFilter,
  conflict,
  filterIssues,
  formatId,
  type JsonObject,
  presentFields,
  reject,
  retryLater,
  TEST_EVENT_KEY,
  TEST_PAYLOAD,
  templateContextOf,
} from '@postrider/domain';
import { createFairSemaphore } from '@postrider/fairness';
import { holderOf } from '../../access/access.ts';
import { REQUEST_SCHEMA } from '../../delivery-runs/content.ts';
import { MEMORY } from '../../http/memory.ts';
import { EXAMPLE_IDS } from '../../openapi/examples.ts';
import { returns } from '../../openapi/operation.ts';
import * as json from '../../openapi/schema.ts';
import { compileBody, withRules } from '../../validation/body.ts';
import { adminOperation } from '../operation.ts';
import { refuseUnprepared, UNSUBSCRIBE_URL } from '../templates/preview.ts';
import { patchedChannel } from './input.ts';
import { CHANNEL, CHANNEL_PATCH_SCHEMA, CHANNEL_PATH } from './schema.ts';

const { default: _none, ...filter } = CHANNEL_SETTINGS_SCHEMAS.filter;

/** Body of POST /admin/v1/channels/{channelId}/filter/test (docs/specification.md, "Filters"). */
const FILTER_TEST_SCHEMA = json.closedObject(['filter'], { filter });

type FilterTestBody = json.BodyOf<typeof FILTER_TEST_SCHEMA>;

/** Concurrent trials of a process: each reads up to 32 MiB in a few seconds. */
const AT_ONCE = { total: 2, perOwner: 1, maxWaiting: 32, maxWaitingPerOwner: 4 };

export const TRIAL_SCHEMAS: json.Schemas = {
  FilterTest: json.record('How a filter would have matched the newest messages of the environment.', {
    tested: json.count(`Examined messages, at most ${TRIAL_MESSAGES}.`),
    matched: json.count('Messages that the channel would take.'),
    not_matched: json.count('Messages that the filter rejects.'),
    not_subscribed: json.count(
      'Messages with an event key that the channel does not take; the filter was not evaluated.',
    ),
    too_large: json.count('Messages for which the filter exceeds its limit of steps.'),
    is_complete: json.flag('False if the limits of bytes or time ended the trial early.'),
    matched_samples: json.list(json.id('msg', 'A message.'), 'Up to 10 that match, newest first.'),
    not_matched_samples: json.list(
      json.record('A message that does not match.', {
        message_id: json.id('msg', 'The message.'),
        condition: json.text('JSON Pointer to the first false condition of the filter.'),
      }),
      'Up to 10 that do not match, newest first.',
    ),
  }),
  ChannelPreview: json.record('What the channel would send.', {
    message_id: json.nullable(
      json.id('msg', 'The message; null if there is none and the event of a test is used.'),
    ),
    event_key: json.text('Its event key.'),
    request: REQUEST_SCHEMA,
  }),
};

const COUNTS = ['tested', 'matched', 'notMatched', 'notSubscribed', 'tooLarge', 'isComplete'] as const;

/** Tries a filter before it is saved. Changes nothing. */
export const filterTest = adminOperation({
  path: `${CHANNEL_PATH}/filter/test`,
  operationId: 'testChannelFilter',
  forTokens: 'reads',
  forConsumers: true,
  // What matches says what payloads and recipients contain.
  scope: 'messages:content',
  memory: MEMORY.resource,
  summary: 'Test a filter with past messages',
  description:
    `Tests a filter with the newest ${TRIAL_MESSAGES} messages of the channel’s environment or consumer, without saving it. Test sends ` +
    'and erased messages are skipped. `null` tests the channel without a filter.',
  body: {
    schema: FILTER_TEST_SCHEMA,
    validate: withRules(compileBody<FilterTestBody>(FILTER_TEST_SCHEMA), [
      { reads: ['/filter'], issuesOf: (body) => filterIssues(body.filter) },
    ]),
    examples: {
      amount: { summary: 'Large orders', value: { filter: { payload: { amount: { $gte: 100 } } } } },
    },
  },
  success: returns('FilterTest', {
    tested: 1_000,
    matched: 12,
    not_matched: 968,
    not_subscribed: 20,
    too_large: 0,
    is_complete: true,
    matched_samples: [EXAMPLE_IDS.message],
    not_matched_samples: [{ message_id: EXAMPLE_IDS.message, condition: '/payload/amount/$gte' }],
  }),
  errors: ['service_unavailable'],
  of: CHANNEL,
  setUp: () => createFairSemaphore(AT_ONCE),
  run: async (request, { db, monotonicMs }, trials) => {
    const { environmentId, consumerId, eventKeys } = request.found;
    const compiled = request.body.filter === null ? null : compileFilter(request.body.filter);
    const permit = await trials.acquire(await holderOf(db, environmentId, request.consumerId));
    if (!permit) reject(retryLater('service_unavailable', 1));
    try {
      const trial = await tryFilterOnMessages(db, {
        environmentId,
        consumerId,
        eventKeys,
        filter: compiled?.ok ? compiled.filter : null,
        monotonicMs,
      });
      return {
        ...presentFields(trial, COUNTS),
        matched_samples: trial.matchedSamples.map((messageId) => formatId('msg', messageId)),
        not_matched_samples: trial.notMatchedSamples.map(({ messageId, condition }) => ({
          message_id: formatId('msg', messageId),
          condition,
        })),
      };
    } finally {
      permit.release();
    }
  },
});

/** Optional body of POST /admin/v1/channels/{channelId}/preview. */
const PREVIEW_SCHEMA = json.closedObject([], { config: CHANNEL_PATCH_SCHEMA.properties.config });

const PREVIEW_EXAMPLE = {
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
export const previewChannel = adminOperation({
  path: `${CHANNEL_PATH}/preview`,
  operationId: 'previewChannel',
  forTokens: 'reads',
  forConsumers: true,
  scope: 'messages:content',
  memory: MEMORY.page,
  summary: 'Preview what a webhook would send',
  description:
    'Shows the request for the newest message whose event key the channel takes, among the newest 200 messages of ' +
    'up to 128 KiB. If there is none, the event of a test is used. The body can change the config, as in a PATCH. ' +
    'Nothing is sent. The signature is made with another secret; other secrets are masked. 409 for other kinds.',
  body: {
    use: 'optional',
    schema: PREVIEW_SCHEMA,
    examples: {
      cloudevents: { summary: 'As CloudEvents', value: { config: { body: 'cloudevents-structured' } } },
      github: { summary: 'Signed like GitHub', value: { config: { signature: { type: 'github' } } } },
    },
  },
  success: returns('ChannelPreview', PREVIEW_EXAMPLE),
  errors: ['conflict', 'service_unavailable'],
  of: CHANNEL,
  run: async (request, { db, kinds, newId, renderer, isAddressAllowed }) => {
    const channel = request.found;
    const { config: shape, label, previewHeaders, targetOf, template: templates } = kinds.get(channel.kind);
    if (!previewHeaders) reject(conflict(`A preview does not exist for ${label}.`));
    const { config: given } = request.body;
    const patch: JsonObject = given === undefined ? {} : { config: given };
    const { config } = patchedChannel({ kinds, isAddressAllowed }, channel, { ...request, body: patch });
    const { message: found, template, resources } = await readPreviewedMessage(db, channel);
    const message = found ?? {
      id: newId(),
      eventKey: TEST_EVENT_KEY,
      recipient: {},
      payload: TEST_PAYLOAD,
      createdAt: new Date(),
      stream: null,
    };
    const runId = newId();
    const unsubscribeUrl = message.stream === null ? null : UNSUBSCRIBE_URL;
    const context = templateContextOf({ runId, message, sequence: null }, unsubscribeUrl, resources);
    const test = found === null;
    const rendered = await templates.render(
      renderer,
      {
        channel: { name: channel.name, config },
        message: { test, operational: null },
        template,
        context,
        readFile: async () => null,
      },
      await holderOf(db, channel.environmentId, request.consumerId),
    );
    if (!rendered.ok) reject(refuseUnprepared(rendered));
    const target = targetOf?.(config) ?? {
      method: 'POST',
      url: String(shape.presentForAudit(config).url ?? ''),
    };
    const { content } = rendered;
    const headers = previewHeaders(config, {
      ids: {
        run: formatId('run', runId),
        message: formatId('msg', message.id),
        environment: formatId('env', channel.environmentId),
      },
      content,
      message: { ...message, test },
    });
    return {
      message_id: found && formatId('msg', found.id),
      event_key: message.eventKey,
      request: {
        ...target,
        headers: headers.map(([name, value]) => [name, value]),
        body: (content as { readonly body: string }).body,
      },
    };
  },
});
