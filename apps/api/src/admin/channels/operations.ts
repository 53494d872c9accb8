import type { ChannelRegistry } from '@postrider/channels';
import {
  changeChannel,
  createChannel,
  deleteChannel,
  inTransaction,
  isAttemptPosition,
  isChannelPosition,
  listChannelAttempts,
  listChannels,
  lockChannel,
  withState,
} from '@postrider/db';
import { ATTEMPT_STATUSES, presentChannel, reject } from '@postrider/domain';
import { presentChannelAttempt } from '../../delivery-runs/present.ts';
import { MEMORY } from '../../http/memory.ts';
import { DELIVERIES_EXAMPLE } from '../../openapi/examples.ts';
import { creates, returns } from '../../openapi/operation.ts';
import { ref } from '../../openapi/schema.ts';
import { described, FLAG, oneOf, searchedBackTo, TIME } from '../../paging/query.ts';
import { withRules } from '../../validation/body.ts';
import { ENVIRONMENT } from '../environments.ts';
import { type AdminOperation, type AdminResource, adminOperation, listPage } from '../operation.ts';
import {
  CHANNEL_EXAMPLE,
  pauseOperation,
  resumeOperation,
  rotateFeedback,
  rotateSecret,
  SECRET_EXAMPLE,
  test,
} from './actions.ts';
import { newChannel, newCredentials, patchedChannel } from './input.ts';
import { LISTEN_OPERATIONS, LISTEN_SCHEMAS } from './listen.ts';
import { listBlocked, ORDERING_SCHEMAS, retryBlocked, skipBlocked } from './ordering.ts';
import { channelSchemas } from './response-schemas.ts';
import {
  CHANNEL,
  CHANNEL_PATCH_SCHEMA,
  CHANNEL_PATH,
  type ChannelBody,
  channelBodySchema,
  channelValidator,
} from './schema.ts';
import { filterTest, previewChannel, TRIAL_SCHEMAS } from './trials.ts';

const CHANNELS_PATH = '/admin/v1/environments/{environmentId}/channels';

/** What differs between the channels of an environment and those of a consumer. */
type Owner = Pick<AdminOperation, 'path' | 'operationId' | 'summary' | 'description' | 'forConsumers'>;

/** Only this response contains the webhook's secret. */
export const createChannelWith = (kinds: ChannelRegistry, owner: Owner) =>
  adminOperation({
    ...owner,
    forTokens: 'stores more',
    scope: 'channels:write',
    memory: MEMORY.resource,
    body: {
      schema: channelBodySchema(kinds),
      validate: withRules<ChannelBody>(channelValidator(kinds), [
        { reads: ['/kind', '/config'], issuesOf: (body) => [...newCredentials(kinds, body).issues] },
      ]),
      examples: Object.fromEntries(
        kinds.definitions.map(({ kind, example: { summary, value } }) => [
          kind,
          { summary, value: { kind, ...value } },
        ]),
      ),
    },
    success: creates('ChannelWithSecret', { ...CHANNEL_EXAMPLE, secret: SECRET_EXAMPLE }),
    errors: ['conflict'],
    run: async (request, deps) => {
      const { environmentId } = request.ids;
      const consumerId = request.ids.consumer ?? null;
      const input = newChannel(
        { kinds, isAddressAllowed: deps.isAddressAllowed },
        { environmentId, consumerId },
        request,
      );
      const { channel, secret } = await createChannel(deps, input);
      return { ...presentChannel(channel, kinds), secret };
    },
  });

/** How lists of channels are ordered. */
export const ORDER = described(
  '`state`: failing, paused and blocked channels first. Default: newest first. With `state`, a channel whose state ' +
    'changes between two pages can be missing or repeated; others cannot.',
  oneOf(['newest', 'state']),
);

/** The channels of an environment itself. */
const listWith = (kinds: ChannelRegistry) =>
  listPage({
    path: CHANNELS_PATH,
    operationId: 'listChannels',
    forTokens: 'reads',
    scope: 'channels:read',
    memory: MEMORY.page,
    summary: 'List channels',
    description:
      'The channels of an environment, without their secrets, and without those of consumers unless `needs_action` is true.',
    parent: ENVIRONMENT,
    filters: {
      order: ORDER,
      needs_action: described(
        'Only channels that are failing, paused, probing or blocked, in that order. Includes up to 1,000 channels ' +
          'of consumers in each state.',
        FLAG,
      ),
    },
    orderedBy: isChannelPosition,
    // An operational channel is the operator's.
    read: (db, { parent, filter: { order, needsAction = false }, after, limit, isOutsider }) =>
      listChannels(db, {
        environmentId: parent.id,
        order,
        after,
        limit,
        needsAction,
        ...(isOutsider && { operational: false }),
      }),
    present: (channel) => presentChannel(channel, kinds),
    schema: ref('ConfiguredChannelList'),
    example: CHANNEL_EXAMPLE,
  });

const getWith = (kinds: ChannelRegistry) =>
  adminOperation({
    path: CHANNEL_PATH,
    operationId: 'getChannel',
    forTokens: 'reads',
    forConsumers: true,
    scope: 'channels:read',
    memory: MEMORY.resource,
    summary: 'Read a channel',
    description: 'The current channel, without its secrets.',
    of: CHANNEL,
    success: returns('ConfiguredChannel', CHANNEL_EXAMPLE),
    run: async ({ found }) => presentChannel(found, kinds),
  });

/** Changes apply to events accepted, and runs sent, from then on. */
const update = adminOperation({
  method: 'patch',
  path: CHANNEL_PATH,
  operationId: 'updateChannel',
  forTokens: 'changes',
  forConsumers: true,
  scope: 'channels:write',
  memory: MEMORY.resource,
  summary: 'Change a channel',
  description:
    'A JSON Merge Patch: fields that are left out stay, null removes one, lists and `filter` ' +
    'are replaced. To change the form of `retry`, set the fields of the other form to null. ' +
    'Waiting runs are sent with the new configuration. Runs that are due while it is disabled ' +
    'end as `failed` with `channel_disabled`; later ones are sent once it is enabled again. ' +
    'Credentials that are left out stay, but must be given again if their destination ' +
    'changes, such as the host of an SMTP server. The kind cannot be changed.',
  body: {
    schema: CHANNEL_PATCH_SCHEMA,
    examples: {
      disable: { summary: 'Take no more events', value: { enabled: false } },
      header: { summary: 'Another header', value: { config: { headers: { 'X-Shop': 'us' } } } },
      retry: { summary: 'The default retry policy', value: { retry: null } },
      filter: {
        summary: 'Only large orders',
        value: { filter: { payload: { amount: { $gte: 100 } } } },
      },
    },
  },
  success: returns('ConfiguredChannel', {
    ...CHANNEL_EXAMPLE,
    enabled: false,
    updated_at: '2026-11-21T10:00:00.000Z',
  }),
  run: async (request, { db, newId, secretBox, kinds, httpsOnly, isAddressAllowed, actor }) => {
    const changed = await inTransaction({ db }, async (tx) => {
      const locked = (await lockChannel(tx, request.ids.channelId)) ?? reject('channel_not_found');
      const patched = patchedChannel({ kinds, isAddressAllowed }, locked.channel, request);
      const deps = { db, newId, secretBox, actor, kinds, httpsOnly };
      return changeChannel(tx, deps, locked, patched);
    });
    return presentChannel(await withState(db, changed), kinds);
  },
});

/** Waiting runs of the channel end as `failed`, with an attempt `channel_disabled`. */
const remove = adminOperation({
  method: 'delete',
  path: CHANNEL_PATH,
  operationId: 'deleteChannel',
  forTokens: 'changes',
  forConsumers: true,
  scope: 'channels:write',
  summary: 'Delete a channel',
  description:
    'No further runs of it start. Waiting runs, including scheduled ones, end as `failed` with an attempt ' +
    '`channel_disabled`: the first 500 with the response, the others soon after. Running ones finish and are not ' +
    'retried. Past deliveries stay readable; the secrets are erased.',
  success: { status: 204 },
  run: async (request, deps) =>
    (await deleteChannel(deps, request.ids.channelId)) ? undefined : reject('channel_not_found'),
});

const { message_id, delivery_runs } = DELIVERIES_EXAMPLE;
const ATTEMPT_EXAMPLE = {
  ...delivery_runs[0]?.attempts[0],
  message_id,
  event_key: 'order.shipped',
  run_status: 'retrying',
};

const attemptsWith = (kinds: ChannelRegistry) =>
  listPage({
    path: `${CHANNEL_PATH}/attempts`,
    operationId: 'listChannelAttempts',
    forTokens: 'reads',
    forConsumers: true,
    scope: 'messages:read',
    memory: MEMORY.page,
    summary: 'List the attempts of a channel',
    description:
      'Attempts of the newest messages come first, and among those of one delivery the newest. A filter that ' +
      'matches little examines about 5,000 deliveries at a time: a page can be short or empty while `has_more` is ' +
      'true.',
    parent: CHANNEL,
    filters: {
      outcome: described('Only attempts with this status.', oneOf(ATTEMPT_STATUSES)),
      error_code: described('Only attempts with this error.', oneOf(kinds.attemptErrorCodes)),
      started_after: described('Only attempts that began at this time or later.', TIME),
    },
    orderedBy: isAttemptPosition,
    read: (db, { parent: { id: channelId, environmentId }, filter, after, limit }) =>
      listChannelAttempts(db, { channelId, environmentId, ...filter, after, limit }),
    present: presentChannelAttempt,
    more: ({ nextAfter }) => ({ searched_back_to: searchedBackTo(nextAfter) }),
    schema: ref('ChannelAttemptList'),
    example: ATTEMPT_EXAMPLE,
  });

export const channelsResource = (kinds: ChannelRegistry): AdminResource => ({
  tag: { name: 'Channels', description: 'Management: the destinations of an environment.' },
  schemas: {
    ...channelSchemas(kinds),
    ...TRIAL_SCHEMAS,
    ...ORDERING_SCHEMAS,
    ...LISTEN_SCHEMAS,
  },
  operations: [
    createChannelWith(kinds, {
      path: CHANNELS_PATH,
      operationId: 'createChannel',
      summary: 'Create a channel',
      description:
        'A destination of the environment. Every event that it takes creates a delivery run. ' +
        'Only this response contains the signing secret of a webhook. The tenant’s plan must ' +
        'include the kind; an environment has at most 100 channels, not counting those of consumers.',
    }),
    listWith(kinds),
    getWith(kinds),
    update,
    remove,
    rotateSecret,
    rotateFeedback,
    test,
    filterTest,
    previewChannel,
    pauseOperation,
    resumeOperation,
    attemptsWith(kinds),
    listBlocked,
    retryBlocked,
    skipBlocked,
    ...LISTEN_OPERATIONS,
  ],
});
