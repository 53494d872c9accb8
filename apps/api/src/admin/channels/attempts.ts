import type { ChannelRegistry } from '@postrider/channels';
import { isAttemptPosition, listChannelAttempts } from '@postrider/db';
import { ATTEMPT_STATUSES } from '@postrider/domain';
import { presentChannelAttempt } from '../../delivery-runs/present.ts';
import { MEMORY } from '../../http/memory.ts';
import { DELIVERIES_EXAMPLE } from '../../openapi/examples.ts';
import { filter } from '../../openapi/parameters.ts';
import { ref } from '../../openapi/schema.ts';
import {
  formatTextCursor,
  oneOf,
  PAGING_PARAMETERS,
  searchedBackTo,
  TIME,
  textCursor,
} from '../../paging/query.ts';
import { listPage } from '../operation.ts';
import { CHANNEL, CHANNEL_PATH } from './schema.ts';

const { message_id, delivery_runs } = DELIVERIES_EXAMPLE;
const { tried: _tried, skipped_copies: _copies, ...SHORT } = delivery_runs[0]?.attempts[0] ?? {};
const EXAMPLE = {
  ...SHORT,
  message_id,
  event_key: 'order.shipped',
  ...{ replay: 0, run_status: 'retrying', test: false },
};

export const attemptsWith = (kinds: ChannelRegistry) =>
  listPage({
    path: `${CHANNEL_PATH}/attempts`,
    operationId: 'listChannelAttempts',
    forConsumers: true,
    scope: 'messages:read',
    memory: MEMORY.page,
    summary: 'List the attempts of a channel',
    description:
      'Those of the newest messages first, and of one delivery the newest first. A filter that matches little examines about 5,000 ' +
      'deliveries at a time: a page can be short or empty while `has_more` is true.',
    parent: CHANNEL,
    filters: [
      filter('outcome', 'Only attempts with this status.', { type: 'string', enum: [...ATTEMPT_STATUSES] }),
      filter('error_code', 'Only attempts with this error.', {
        type: 'string',
        enum: [...kinds.attemptErrorCodes],
      }),
      filter('started_after', 'Only attempts that began at this time or later.', {
        type: 'string',
        format: 'date-time',
      }),
    ],
    query: {
      ...PAGING_PARAMETERS,
      cursor: textCursor(isAttemptPosition),
      outcome: oneOf(ATTEMPT_STATUSES),
      error_code: oneOf(kinds.attemptErrorCodes),
      started_after: TIME,
    },
    formatCursor: formatTextCursor,
    read: (db, { parent, values, after, limit }) =>
      listChannelAttempts(db, {
        channelId: parent.id,
        environmentId: parent.environmentId,
        outcome: values.outcome,
        errorCode: values.error_code,
        startedAfter: values.started_after,
        after,
        limit,
      }),
    present: presentChannelAttempt,
    more: ({ nextAfter }) => ({ searched_back_to: searchedBackTo(nextAfter) }),
    schema: ref('ChannelAttemptList'),
    example: EXAMPLE,
  });
