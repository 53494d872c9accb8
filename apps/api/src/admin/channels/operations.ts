import { type ChannelRegistry, refusedEndpoints } from '@postrider/channels';
import {
  type ChannelChange,
  type ChannelInput,
  changeChannel,
  createChannel,
  deleteChannel,
  inTransaction,
  listChannels,
  lockChannel,
  readChannel,
} from '@postrider/db';
import {
  type AddressPolicy,
  type ChannelOptions,
  type ChannelRecord,
  type ChannelTarget,
  DEFAULT_RETRY_POLICY,
  failurePolicyOf,
  type JsonObject,
  MAX_CHANNELS_PER_ENVIRONMENT,
  presentChannel,
} from '@postrider/domain';
import { MEMORY } from '../../http/memory.ts';
import { created, type Detail, noContent, ok, type Reply, refuse } from '../../http/reply.ts';
import { CHANNEL_ID, ENVIRONMENT_ID } from '../../openapi/parameters.ts';
import { ref } from '../../openapi/schema.ts';
import { type Invalid, invalid, type Validated, withRules } from '../../validation/body.ts';
import { ENVIRONMENT } from '../environments.ts';
import {
  type AdminResource,
  getOne,
  idOf,
  listPage,
  type Named,
  withBody,
  withoutBody,
} from '../operation.ts';
import { applyPatch } from '../schemas.ts';
import { CHANNEL_EXAMPLE, rotateFeedback, rotateSecret, SECRET_EXAMPLE, test } from './actions.ts';
import { FILTER_TEST_SCHEMAS, filterTest } from './filter-test.ts';
import { listBlocked, ORDERING_SCHEMAS, retryBlocked, skipBlocked } from './ordering.ts';
import { pauseOperation, resumeOperation } from './pause.ts';
import { channelSchemas } from './response-schemas.ts';
import {
  CHANNEL_PATCH_SCHEMA,
  CHANNEL_PATH,
  type ChannelBody,
  channelBodySchema,
  channelValidator,
  credentialChange,
  toChannelBody,
  toTarget,
} from './schema.ts';

const CHANNELS_PATH = '/admin/v1/environments/{environmentId}/channels';

/** How paths identify a channel. */
const CHANNEL: Named<ChannelRecord> = {
  parameter: CHANNEL_ID,
  read: readChannel,
  notFound: 'channel_not_found',
};

/** The refusal of a kind that the tenant's plan does not include; `path` is the field of the request. */
function kindNotInPlan(path: string): Reply {
  return invalid([
    {
      path,
      code: 'invalid_value',
      message: "is not included in the tenant's plan: add the kind to channel_kinds of the plan",
    },
  ]);
}

const httpsWanted = (paths: readonly string[]): Reply =>
  invalid(
    paths.map((path) => ({
      path: `/config${path}`,
      code: 'invalid_value' as const,
      message: 'must be an https URL, because WEBHOOK_HTTPS_ONLY or https_only of the environment is set',
    })),
  );

/**
 * Issues of literal addresses in a config that the policy refuses. What the current config has stays allowed, so that a channel
 * from before EGRESS_ALLOW_CIDRS was changed can still be renamed or disabled.
 */
function addressIssues(
  { kinds, isAddressAllowed }: { readonly kinds: ChannelRegistry; readonly isAddressAllowed: AddressPolicy },
  { kind, config }: Pick<ChannelTarget, 'kind' | 'config'>,
  current: JsonObject | null,
): Detail[] {
  const endpointsOf = (of: JsonObject) => kinds.get(kind).config.endpointsOf?.(of) ?? {};
  const before = new Set(Object.values(current === null ? {} : endpointsOf(current)));
  const added = Object.entries(endpointsOf(config)).filter(([, endpoint]) => !before.has(endpoint));
  return refusedEndpoints(Object.fromEntries(added), isAddressAllowed).map(({ path, message }) => ({
    ...{ path: `/config${path}`, code: 'invalid_value' as const, message },
  }));
}

const newCredentials = (kinds: ChannelRegistry, body: ChannelBody) =>
  credentialChange(kinds, null, { given: body.config, target: toTarget(kinds, body) });

/** The settings of a valid body, with their defaults. */
const settingsOf = (body: ChannelBody): Omit<ChannelOptions, 'failurePolicy'> => ({
  name: body.name,
  enabled: body.enabled ?? true,
  eventKeys: body.event_keys ?? ['*'],
  retry: body.retry ?? DEFAULT_RETRY_POLICY,
  filter: body.filter ?? null,
  operational: body.operational ?? false,
  operationalEmail: body.operational_email ?? null,
  ordering: body.ordering ?? 'none',
  onExhausted: body.on_exhausted ?? 'block',
  maxPerSecond: body.max_per_second ?? null,
  maxInFlight: body.max_in_flight ?? null,
});

function toInput(kinds: ChannelRegistry, environmentId: string, body: ChannelBody): ChannelInput {
  const { changes: credentials } = newCredentials(kinds, body);
  const policy = body.failure_policy ? { failurePolicy: failurePolicyOf(body.failure_policy) } : {};
  return { environmentId, ...settingsOf(body), ...policy, ...toTarget(kinds, body), credentials };
}

/** Only this response contains the webhook's secret. */
const createWith = (kinds: ChannelRegistry) =>
  withBody<ChannelBody>({
    method: 'post',
    path: CHANNELS_PATH,
    operationId: 'createChannel',
    memory: MEMORY.resource,
    summary: 'Create a channel',
    description:
      'A destination of the environment. Every event that it takes creates a delivery run. ' +
      'Only this response contains the signing secret of a webhook. The tenant’s plan must ' +
      'include the kind; an environment has at most 100 channels.',
    parameters: [ENVIRONMENT_ID],
    body: {
      schema: channelBodySchema(kinds),
      validate: withRules(channelValidator(kinds), [
        { reads: ['/kind', '/config'], issuesOf: (body) => [...newCredentials(kinds, body).issues] },
      ]),
      examples: Object.fromEntries(
        kinds.definitions.map(({ kind, example: { summary, value } }) => [
          kind,
          { summary, value: { kind, ...value } },
        ]),
      ),
    },
    success: {
      status: 201,
      schema: ref('ChannelWithSecret'),
      example: { ...CHANNEL_EXAMPLE, secret: SECRET_EXAMPLE },
    },
    errors: ['environment_not_found', 'conflict'],
    run:
      ({ db, newId, secretBox, httpsOnly, isAddressAllowed }) =>
      async (request): Promise<Reply> => {
        const environmentId = idOf(request, ENVIRONMENT_ID);
        if (environmentId === null) return refuse('environment_not_found');
        const { actor, body } = request;
        const issues = addressIssues({ kinds, isAddressAllowed }, toTarget(kinds, body), null);
        if (issues.length > 0) return invalid(issues);
        const stored = await createChannel(
          { db, newId, secretBox, actor, kinds, httpsOnly },
          toInput(kinds, environmentId, body),
        );
        switch (stored.outcome) {
          case 'created':
            return created({ ...presentChannel(stored.channel, kinds), secret: stored.secret });
          case 'environment_not_found':
            return refuse('environment_not_found');
          case 'kind_not_in_plan':
            return kindNotInPlan('/kind');
          case 'https_only':
            return httpsWanted(stored.paths);
          case 'too_many':
            return refuse('conflict', {
              message: `An environment has at most ${MAX_CHANNELS_PER_ENVIRONMENT} channels.`,
            });
        }
      },
  });

const listWith = (kinds: ChannelRegistry) =>
  listPage({
    path: CHANNELS_PATH,
    operationId: 'listChannels',
    memory: MEMORY.page,
    summary: 'List channels',
    description: 'The channels of an environment, newest first, without their secrets.',
    parent: ENVIRONMENT,
    read: (db, { parent, after, limit }) => listChannels(db, { environmentId: parent.id, after, limit }),
    present: (channel) => presentChannel(channel, kinds),
    schema: ref('ConfiguredChannelList'),
    example: CHANNEL_EXAMPLE,
  });

const getWith = (kinds: ChannelRegistry) =>
  getOne({
    path: CHANNEL_PATH,
    operationId: 'getChannel',
    memory: MEMORY.resource,
    summary: 'Read a channel',
    description: 'The current channel, without its secrets.',
    of: CHANNEL,
    present: (channel) => presentChannel(channel, kinds),
    schema: ref('ConfiguredChannel'),
    example: CHANNEL_EXAMPLE,
  });

/** The channel that results from a patch, or all issues. */
function patchChannel(
  kinds: ChannelRegistry,
  current: ChannelRecord,
  patch: JsonObject,
): Validated<ChannelChange> | Invalid {
  // Not merged, because a merged filter would keep old conditions and lose those that compare with null.
  const { filter = null, ...rest } = patch;
  const before = { ...toChannelBody(current), filter };
  const patched = applyPatch(before, rest, channelValidator(kinds));
  if (!('body' in patched)) return patched;
  // A stored filter stays valid when the rules for new ones change.
  const body = 'filter' in patch ? patched.body : { ...patched.body, filter: current.filter };
  const target = toTarget(kinds, body);
  const { changes: credentials, issues } = credentialChange(kinds, current, { given: patch.config, target });
  if (issues.length > 0) return { issues: [...issues] };
  const failurePolicy = failurePolicyOf(body.failure_policy);
  return { body: { ...target, ...settingsOf(body), failurePolicy, credentials }, issues: [] };
}

/** Changes apply to events accepted, and runs sent, from then on. */
const update = withBody<JsonObject>({
  method: 'patch',
  path: CHANNEL_PATH,
  operationId: 'updateChannel',
  memory: MEMORY.resource,
  summary: 'Change a channel',
  description:
    'A JSON Merge Patch: fields that are left out stay, null removes one, lists and `filter` ' +
    'are replaced. To change the form of `retry`, set the fields of the other form to null. ' +
    'Waiting runs are sent with the new configuration. Runs that are due while it is disabled ' +
    'end as `failed` with `channel_disabled`; later ones are sent once it is enabled again. ' +
    'Credentials that are left out stay, but must be given again if their destination ' +
    'changes, such as the host of an SMTP server. The kind cannot be changed.',
  parameters: [CHANNEL_ID],
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
  success: {
    status: 200,
    schema: ref('ConfiguredChannel'),
    example: { ...CHANNEL_EXAMPLE, enabled: false, updated_at: '2026-11-21T10:00:00.000Z' },
  },
  errors: ['channel_not_found'],
  run:
    ({ db, newId, secretBox, kinds, httpsOnly, isAddressAllowed }) =>
    async (request): Promise<Reply> => {
      const id = idOf(request, CHANNEL_ID);
      if (id === null) return refuse('channel_not_found');
      const { actor, body } = request;
      return inTransaction({ db }, async (tx) => {
        const locked = await lockChannel(tx, id);
        if (!locked) return refuse('channel_not_found');
        const patched = patchChannel(kinds, locked.channel, body);
        if (!('body' in patched)) return invalid(patched.issues);
        const issues = addressIssues({ kinds, isAddressAllowed }, patched.body, locked.channel.config);
        if (issues.length > 0) return invalid(issues);
        const deps = { db, newId, secretBox, actor, kinds, httpsOnly };
        const changed = await changeChannel(tx, deps, locked, patched.body);
        switch (changed.outcome) {
          case 'changed':
            return ok(presentChannel(changed.channel, kinds));
          case 'kind_not_in_plan':
            return kindNotInPlan('/enabled');
          case 'https_only':
            return httpsWanted(changed.paths);
        }
      });
    },
});

/** Waiting runs of the channel end as `failed`, with an attempt `channel_disabled`. */
const remove = withoutBody({
  method: 'delete',
  path: CHANNEL_PATH,
  operationId: 'deleteChannel',
  memory: MEMORY.small,
  summary: 'Delete a channel',
  description:
    'No further run of it is started. Waiting runs, including scheduled ones, end as `failed` ' +
    'with an attempt `channel_disabled`: the first 500 with the response, the others soon ' +
    'after. Running ones finish and are not retried. Past deliveries stay readable; the secrets ' +
    'are erased.',
  parameters: [CHANNEL_ID],
  success: { status: 204 },
  errors: ['channel_not_found'],
  run:
    ({ db, newId, kinds }) =>
    async (request) => {
      const id = idOf(request, CHANNEL_ID);
      const removed = id && (await deleteChannel({ db, newId, actor: request.actor, kinds }, id));
      return removed && removed.outcome === 'deleted' ? noContent() : refuse('channel_not_found');
    },
});

export const channelsResource = (kinds: ChannelRegistry): AdminResource => ({
  tag: { name: 'Channels', description: 'Management: the destinations of an environment.' },
  schemas: { ...channelSchemas(kinds), ...FILTER_TEST_SCHEMAS, ...ORDERING_SCHEMAS },
  operations: [
    createWith(kinds),
    listWith(kinds),
    getWith(kinds),
    update,
    remove,
    rotateSecret,
    rotateFeedback,
    test,
    filterTest,
    pauseOperation,
    resumeOperation,
    listBlocked,
    retryBlocked,
    skipBlocked,
  ],
});
