import type { ChannelRegistry } from '@postrider/channels';
import {
  type Attention,
  attentionOfOutsider,
  EXPIRING_SECRET_TYPES,
  type ExpiringSecret,
  findNeedy,
  inShare,
  isWithin,
  keepAttention,
  readAttention,
} from '@postrider/db';
import { type JsonObject, presentFields, reject } from '@postrider/domain';
import { MEMORY } from '../http/memory.ts';
import { EXAMPLE_IDS } from '../openapi/examples.ts';
import { returns } from '../openapi/operation.ts';
import * as json from '../openapi/schema.ts';
import { HEALTH_FIELDS } from './channels/response-schemas.ts';
import { ENVIRONMENT } from './environments.ts';
import { SUPPORT_TAG } from './messages.ts';
import { type AdminResource, adminOperation } from './operation.ts';

/**
 * Reads at most once in `keptMs` milliseconds of `monotonicMs`. Callers in between share the last result. A failed
 * read is not cached.
 */
export function keptFor<Value>(
  keptMs: number,
  { read, monotonicMs }: { readonly read: () => Promise<Value>; readonly monotonicMs: () => number },
): () => Promise<Value> {
  let kept: { readonly value: Promise<Value>; readonly untilMs: number } | null = null;
  return () => {
    if (kept && monotonicMs() < kept.untilMs) return kept.value;
    const mine = { value: read(), untilMs: monotonicMs() + keptMs };
    kept = mine;
    mine.value.catch(() => {
      if (kept === mine) kept = null;
    });
    return mine.value;
  };
}

/** The fields that name an environment and its tenant. */
export const ENVIRONMENT_FIELDS = {
  tenant_id: json.id('ten', 'The tenant.'),
  tenant_name: json.text('The name of the tenant.'),
  environment_id: json.id('env', 'The environment.'),
  environment_name: json.text('The name of the environment.'),
};

const MAX_ITEMS = 100;
/** How long a process caches the report of the whole installation, in milliseconds. */
const KEPT_MS = 5_000;

const schemasOf = ({ kinds }: ChannelRegistry): json.Schemas => {
  const channel = {
    channel_id: json.id('chn', 'The channel.'),
    name: json.text('Its name.'),
    kind: json.oneOf(kinds, 'The kind of the channel.'),
  };
  const failing = {
    ...channel,
    consecutive_failures: json.count('Failed attempts since the minute of its last success.'),
    last_error_code: json.text('The error code of the newest failure.'),
    failing_since: json.time('The minute of the first of them.'),
  };
  const needs = {
    failing_channels: json.list(
      json.titled('Failing channel', json.record('A channel in the state `failing`.', failing)),
    ),
    paused_channels: json.list(
      json.titled(
        'Paused channel',
        json.record('A paused channel: docs/specification.md, "Channel health".', {
          ...channel,
          ...HEALTH_FIELDS,
          waiting: json.count('Held runs, counted up to 10,000, or fewer if there are many paused channels.'),
        }),
      ),
    ),
    paused_streams: json.list(
      json.titled(
        'Stream with complaints',
        json.record('A stream whose email is held because too many recipients complained.', {
          stream: json.text('The stream.'),
          paused_at: json.time('Since when.'),
          delivered: json.count('Delivered emails of the stream on the day before the pause.'),
          complained: json.count('Those about which recipients complained.'),
        }),
      ),
    ),
    backlog: json.titled(
      'Backlog of runs',
      json.record('The backlog: runs that are due and waiting.', {
        due: json.count(
          'Due delivery runs, counted up to 1,000 for each channel and 10,000 in all, or up to 100 in the report ' +
            'of all environments.',
        ),
        oldest_due_at: json.optionalTime('Since when the oldest has been waiting.'),
      }),
    ),
    quota: json.nullable(
      json.titled(
        'Quota use',
        json.record('The tenant’s quota of this month; null if it is unlimited.', {
          used: json.count('Events.'),
          limit: json.count('The limit of the plan.'),
          ratio: { type: 'number', minimum: 0, description: 'The used share.' },
        }),
      ),
    ),
    expiring: json.list(
      json.titled(
        'Expiring secret',
        json.record('A secret that expires within 14 days, or an expired certificate.', {
          type: json.oneOf(
            EXPIRING_SECRET_TYPES,
            'The client certificate or the previous secret of a webhook channel, or a token.',
          ),
          id: json.text('The id or name of the channel or token.'),
          name: json.text('The id or name of the channel or token.'),
          expires_at: json.time('When it ends.'),
        }),
      ),
      'The first to expire: at most 100, or ten in the report of all environments.',
    ),
    render_failures: json.record('Attempts whose template failed.', {
      last_hour: json.count('In the last hour.'),
    }),
    blocked_keys: json.count(
      'Ordering keys that wait until an operator retries or skips a run: up to 1,000, or 100 in the report of all environments.',
    ),
    blocked_channels: json.list(
      json.titled(
        'Blocked channel',
        json.record('A channel with such keys, those with most first.', {
          ...channel,
          blocked_keys: json.count('How many of them it has.'),
        }),
      ),
    ),
  };
  return {
    EnvironmentAttention: json.record('What needs attention in an environment.', needs),
    AttentionItem: json.record('An environment that needs attention.', {
      ...ENVIRONMENT_FIELDS,
      ...needs,
    }),
    Attention: json.record('What needs attention in the installation.', {
      items: json.list(
        json.ref('AttentionItem'),
        'Worst first, at most 100 environments, with up to ten channels or secrets in each list.',
      ),
    }),
  };
};

const OF_CHANNEL = ['channelId', 'name', 'kind'] as const;
const OF_ENVIRONMENT = ['tenantId', 'tenantName', 'environmentId', 'environmentName'] as const;

const presentExpiring = (secret: ExpiringSecret): JsonObject => ({
  type: secret.type,
  ...presentFields(secret, ['id', 'name', 'expiresAt'], secret.type === 'token' ? 'tok' : 'chn'),
});

function presentNeeds({ failing, paused, pausedStreams, expiring, blocked, ...of }: Attention): JsonObject {
  return {
    failing_channels: failing.map((channel) => ({
      ...presentFields(channel, OF_CHANNEL),
      consecutive_failures: channel.failures,
      ...presentFields(channel, ['lastErrorCode', 'failingSince']),
    })),
    paused_channels: paused.map((channel) => ({
      ...presentFields(channel, OF_CHANNEL),
      ...presentFields(channel.health, ['reason', 'failingSince', 'nextProbeAt', 'waiting']),
    })),
    paused_streams: pausedStreams.map((paused) =>
      presentFields(paused, ['stream', 'pausedAt', 'delivered', 'complained']),
    ),
    backlog: presentFields(of, ['due', 'oldestDueAt']),
    quota:
      of.limit === null ? null : { used: of.used, limit: of.limit, ratio: of.used / Math.max(1, of.limit) },
    expiring: expiring.map(presentExpiring),
    render_failures: { last_hour: of.renderFailures },
    blocked_keys: blocked.reduce((sum, { keys }) => sum + keys, 0),
    blocked_channels: blocked.map((channel) => ({
      ...presentFields(channel, OF_CHANNEL),
      blocked_keys: channel.keys,
    })),
  };
}

const CHANNEL_EXAMPLE = { name: 'warehouse', kind: 'webhook' };

const NEEDS_EXAMPLE = {
  failing_channels: [
    {
      ...CHANNEL_EXAMPLE,
      consecutive_failures: 12,
      last_error_code: 'webhook_http_error',
      failing_since: '2026-11-21T09:12:00.000Z',
    },
  ],
  paused_channels: [
    {
      ...CHANNEL_EXAMPLE,
      reason: 'failures',
      failing_since: '2026-11-20T09:12:00.000Z',
      next_probe_at: '2026-11-21T09:42:00.000Z',
      waiting: 118,
    },
  ],
  paused_streams: [
    { stream: 'newsletter', paused_at: '2026-11-21T09:30:00.000Z', delivered: 1_250, complained: 5 },
  ],
  backlog: { due: 3, oldest_due_at: '2026-11-21T09:30:00.060Z' },
  expiring: [
    {
      id: EXAMPLE_IDS.webhookChannel,
      name: 'warehouse',
      expires_at: '2026-12-01T00:00:00.000Z',
    },
  ],
  quota: { used: 7_312, limit: 10_000, ratio: 0.7312 },
  blocked_keys: 2,
  blocked_channels: [{ ...CHANNEL_EXAMPLE, blocked_keys: 2 }],
};

const ofEnvironment = adminOperation({
  path: '/admin/v1/environments/{environmentId}/attention',
  operationId: 'getEnvironmentAttention',
  forTokens: 'reads',
  scope: 'channels:read',
  memory: MEMORY.rows,
  summary: 'Read what needs attention in an environment',
  description:
    'Failing and paused channels, paused streams, the backlog, the quota, secrets that expire soon, and failed templates.',
  of: ENVIRONMENT,
  success: returns('EnvironmentAttention', NEEDS_EXAMPLE),
  run: async (request, { db }) => {
    const [of] = await readAttention(db, [request.found.id]);
    if (!of) reject('environment_not_found');
    return presentNeeds(request.isOutsider ? await attentionOfOutsider(db, of) : of);
  },
});

const ofAll = adminOperation({
  path: '/admin/v1/attention',
  operationId: 'overviewOfAttention',
  scope: 'channels:read',
  filtersByBounds: true,
  memory: MEMORY.page,
  summary: 'Read what needs attention',
  description:
    'The environments with a failing or paused channel, a paused stream, runs that have waited for more than a ' +
    'minute, 80 % of the quota used, secrets that expire within 14 days, templates that failed in the last hour, ' +
    'or blocked ordering keys. Workers check each environment every 5 s, at most 50 a second per worker, and the ' +
    'response is up to 5 s old.',
  success: returns('Attention', {
    items: [{ tenant_name: 'Acme', environment_name: 'production', ...NEEDS_EXAMPLE }],
  }),
  setUp: ({ db, monotonicMs }) => {
    let after: string | null = null;
    // Requests share what it reads, so it does not end with the one that began it.
    const readAll = () =>
      inShare(
        'operate',
        async () => {
          // Workers keep it. A page for each read is for a time without workers, when there is most to see.
          after = await keepAttention(db, { after, freshMs: 0 });
          return readAttention(db, await findNeedy(db, MAX_ITEMS), { isOverview: true });
        },
        'attention',
      );
    return keptFor(KEPT_MS, { read: readAll, monotonicMs });
  },
  run: async ({ bounds }, _deps, read) => {
    const items = (await read())
      .filter((of) => of.weight > 0 && (bounds === null || isWithin(bounds, of)))
      .sort((one, other) => other.weight - one.weight)
      .map((of) => ({ ...presentFields(of, OF_ENVIRONMENT), ...presentNeeds(of) }));
    return { items };
  },
});

export const attentionResource = (kinds: ChannelRegistry): AdminResource => ({
  tag: SUPPORT_TAG,
  schemas: schemasOf(kinds),
  operations: [ofEnvironment, ofAll],
});
