import { TRIAL_MESSAGES, tryFilterOnMessages } from '@postrider/db';
import {
  CHANNEL_SETTINGS_SCHEMAS,
  compileFilter,
  filterIssues,
  formatId,
  presentFields,
  retryLater,
} from '@postrider/domain';
import { createFairSemaphore } from '@postrider/fairness';
import { MEMORY } from '../../http/memory.ts';
import { ok, type Reply } from '../../http/reply.ts';
import { type BodyOf, closedObject } from '../../openapi/body-of.ts';
import { EXAMPLE_IDS } from '../../openapi/examples.ts';
import { answers } from '../../openapi/operation.ts';
import * as json from '../../openapi/schema.ts';
import { compileBody, withRules } from '../../validation/body.ts';
import { turnOf, withBody } from '../operation.ts';
import { CHANNEL, CHANNEL_PATH } from './schema.ts';

const { default: _none, ...filter } = CHANNEL_SETTINGS_SCHEMAS.filter;

/** Body of POST /admin/v1/channels/{channelId}/filter/test (docs/specification.md, "Filters"). */
const FILTER_TEST_SCHEMA = closedObject(['filter'], { filter });

type FilterTestBody = BodyOf<typeof FILTER_TEST_SCHEMA>;

/** Concurrent trials of a process: each reads up to 32 MiB in a few seconds. */
const AT_ONCE = { total: 2, perOwner: 1, maxWaiting: 32, maxWaitingPerOwner: 4 };

export const FILTER_TEST_SCHEMAS: json.Schemas = {
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
};

const COUNTS = ['tested', 'matched', 'notMatched', 'notSubscribed', 'tooLarge', 'isComplete'] as const;

/** Tries a filter before it is saved. Changes nothing. */
export const filterTest = withBody({
  path: `${CHANNEL_PATH}/filter/test`,
  operationId: 'testChannelFilter',
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
  success: answers('FilterTest', {
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
  run: async (request, { db }, trials): Promise<Reply> => {
    const { environmentId, consumerId, eventKeys } = request.found;
    const compiled = request.body.filter === null ? null : compileFilter(request.body.filter);
    const permit = await trials.acquire(await turnOf(db, environmentId, request.consumerId));
    if (!permit) return retryLater('service_unavailable', 1);
    try {
      const trial = await tryFilterOnMessages(db, {
        environmentId,
        consumerId,
        eventKeys,
        filter: compiled?.ok ? compiled.filter : null,
        monotonicNow: () => performance.now(),
      });
      return ok({
        ...presentFields(trial, COUNTS),
        matched_samples: trial.matchedSamples.map((messageId) => formatId('msg', messageId)),
        not_matched_samples: trial.notMatchedSamples.map(({ messageId, condition }) => ({
          message_id: formatId('msg', messageId),
          condition,
        })),
      });
    } finally {
      permit.release();
    }
  },
});
