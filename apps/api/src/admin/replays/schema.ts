import { type ChannelRegistry, perRegistry } from '@postrider/channels';
import {
  DEFAULT_REPLAY_PACE,
  MAX_REPLAY_PACE,
  MESSAGE_STATUSES,
  type PresentedFilter,
  REPLAY_BATCH_FIELDS,
  REPLAY_SKIP_REASONS,
  RUN_STATUSES,
} from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import { EVENT_BODY_SCHEMA, RECIPIENT_SCHEMA } from '../../events/schema.ts';
import { PATH_PARAMETERS } from '../../openapi/parameters.ts';
import * as json from '../../openapi/schema.ts';

export interface ReplaysBody {
  readonly filter: PresentedFilter;
  readonly channels?: readonly string[];
  readonly messages_per_second?: number;
  readonly dry_run?: boolean;
}

export const RUN_CHANNEL_DESCRIPTION = 'The run’s channel.';
/** The parameter of a search by the channel of a run. */
export const RUN_CHANNEL = json.id('chn', RUN_CHANNEL_DESCRIPTION);

const givenTime = (description: string) => ({ type: 'string', format: 'date-time', description });

/** The filter of a search and of a bulk replay. Each field is the query parameter of the same name. */
export const messageFilterSchema = perRegistry(
  ({ kinds, attemptErrorCodes }) =>
    ({
      type: 'object',
      additionalProperties: false,
      description:
        'The filter on messages; all conditions must match, and the empty object matches every ' +
        'message. run_status, run_ended_after, channel_id, channel_kind and error_code must match the same delivery ' +
        'run, which is the newest of its channel.',
      properties: {
        event_key: EVENT_BODY_SCHEMA.properties.event_key,
        consumer: { ...PATH_PARAMETERS.consumer.schema, description: 'The consumer that the event named.' },
        status: json.oneOf(MESSAGE_STATUSES, 'The message’s status.'),
        recipient_email: {
          ...RECIPIENT_SCHEMA.properties.email,
          description: 'This address, ignoring case. Requires `messages:content`.',
        },
        created_after: givenTime('Only messages accepted at this time or later.'),
        created_before: givenTime('Only messages accepted before this time.'),
        run_status: json.oneOf(RUN_STATUSES, 'The run’s status.'),
        run_ended_after: givenTime('Only runs that ended at this time or later, such as those that failed.'),
        channel_id: RUN_CHANNEL,
        channel_kind: json.oneOf(kinds, 'The kind of the run’s channel.'),
        error_code: json.oneOf(
          attemptErrorCodes,
          'The code of the run’s `last_error`: its newest attempt with an error, even if a later one ' +
            'succeeded.',
        ),
      },
    }) as const satisfies SchemaObject,
);

/** Body of POST /admin/v1/environments/{environmentId}/replays. */
export const replaysBodySchema = perRegistry((kinds) =>
  json.closedObject(['filter'], {
    filter: messageFilterSchema(kinds),
    channels: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      items: { type: 'string' },
      description: 'Ids of the channels to deliver to; by default all that would be used.',
    },
    messages_per_second: json.wholeNumber(
      1,
      MAX_REPLAY_PACE,
      DEFAULT_REPLAY_PACE,
      'The pace. Half a second’s worth may be sent at once.',
    ),
    dry_run: json.option(false, 'Only count the matching messages.'),
  }),
);

const SKIPPED: Readonly<Record<(typeof REPLAY_SKIP_REASONS)[number], string>> = {
  no_matching_channel: 'No enabled channel of those requested takes the event.',
  template_not_found: 'An email channel takes the event and no template is active for it.',
  filtered: 'The filters of the channels reject it.',
  too_large_for_filters: 'It is too large for the filters of the channels.',
  unknown_filter: 'A channel that takes the event has a filter that only a later release understands.',
  recipient_email_missing: 'An email channel takes the event and the recipient has no address.',
  test_message: 'A test send of an operator.',
  message_erased: 'The recipient’s data was erased.',
};

const filterSchema = (kinds: ChannelRegistry): json.Schema => ({
  ...json.titled('Given message filter', messageFilterSchema(kinds)),
  description: REPLAY_BATCH_FIELDS.filter.description,
});

/** Response schemas (docs/specification.md, "Bulk replays"). */
export function replaySchemas(kinds: ChannelRegistry): json.Schemas {
  const filter = filterSchema(kinds);
  return {
    ReplayBatch: json.record('A bulk replay.', {
      ...REPLAY_BATCH_FIELDS,
      filter,
      skipped: json.record(
        'Messages that matched and could not be replayed, by reason.',
        Object.fromEntries(REPLAY_SKIP_REASONS.map((reason) => [reason, json.count(SKIPPED[reason])])),
      ),
    }),
    ReplayBatchList: json.pageOf('ReplayBatch', 'A page of bulk replays, newest first.'),
    ReplayPreview: json.record('The messages that a bulk replay would cover.', {
      dry_run: { type: 'boolean', const: true, description: 'Nothing was done.' },
      filter,
      matched: json.count('Messages that match.'),
      matched_is_lower_bound: REPLAY_BATCH_FIELDS.matched_is_lower_bound,
    }),
  };
}
