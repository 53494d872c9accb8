import {
  type ChannelKind,
  compileFilter,
  type FilteredEvent,
  type FilterMeter,
  filteredEvent,
  filterMeter,
  type JsonObject,
  type JsonValue,
  type KindFacts,
  matchesEvent,
  SERVICE_KINDS,
  withinSteps,
} from '@postrider/domain';
import type { Queryable } from '../client.ts';
import type { MessageRecord } from './messages.ts';

/** The most channels that are examined, including deleted ones. An environment has at most 100 others, and a consumer 50. */
const MAX_CHANNELS = 200;

/**
 * Why a channel has no delivery of a message, by its current configuration. Earlier configurations are not known;
 * `changed_since` says that the channel would take the message now. `matched` means that it has a delivery.
 */
export const CHANNEL_REASONS = [
  'matched',
  'deleted',
  'created_later',
  'disabled',
  'kind_not_in_plan',
  'event_key_not_subscribed',
  'no_active_template',
  'no_recipient',
  'filtered',
  'changed_since',
] as const;
type ChannelReason = (typeof CHANNEL_REASONS)[number];

export interface ChannelExplanation {
  readonly channelId: string;
  readonly name: string;
  readonly kind: ChannelKind;
  readonly reason: ChannelReason;
  /** JSON Pointer to the first false condition of the filter; only for `filtered`. */
  readonly condition: string | null;
  /** UUIDs of the channel's runs of the message, oldest first. */
  readonly runIds: readonly string[];
}

interface ChannelRow extends Omit<ChannelExplanation, 'reason' | 'condition'> {
  enabled: boolean;
  event_keys: string[];
  filter: JsonValue;
  is_deleted: boolean;
  is_newer: boolean;
  in_plan: boolean;
  has_template: boolean;
}

/** The first false condition of the channel's filter, or null. */
function failingCondition({ filter }: ChannelRow, event: FilteredEvent, meter: FilterMeter): string | null {
  const compiled = filter === null ? null : compileFilter(filter, { isStored: true });
  return compiled?.ok ? withinSteps(() => compiled.filter.failing(event, meter), null) : null;
}

function reasonOf(
  row: ChannelRow,
  { eventKey, recipient }: { readonly eventKey: string; readonly recipient: JsonObject },
  condition: string | null,
  kinds: readonly KindFacts[],
): ChannelReason {
  if (row.runIds.length > 0) return 'matched';
  if (row.is_deleted) return 'deleted';
  if (row.is_newer) return 'created_later';
  if (!row.enabled) return 'disabled';
  const facts = kinds.find(({ kind }) => kind === row.kind);
  if (!row.in_plan || !facts) return 'kind_not_in_plan';
  if (!matchesEvent(row.event_keys, eventKey)) return 'event_key_not_subscribed';
  if (condition !== null) return 'filtered';
  if (facts.requiresTemplate && !row.has_template) return 'no_active_template';
  if (facts.recipientFields.some((field) => !Object.hasOwn(recipient, field))) return 'no_recipient';
  return 'changed_since';
}

/** The consumer as filters see it; null if there is none any more. */
async function readAttributes(db: Queryable, environmentId: string, id: string | null) {
  if (id === null) return null;
  const [consumer = null] = await db.$queryRaw<{ id: string; attributes: string }[]>`
    SELECT id, attributes::text FROM consumers
     WHERE environment_id = ${environmentId}::uuid AND id = ${id} AND deleted_at IS NULL`;
  return consumer;
}

/**
 * The channels of a message's environment and consumer: which have deliveries of it, and why the others have none. Without
 * `readsContent` filters are not evaluated, because their answers would tell what is in the message.
 */
export async function explainChannels(
  db: Queryable,
  environmentId: string,
  message: MessageRecord,
  {
    kinds = SERVICE_KINDS,
    readsContent,
  }: { readonly kinds?: readonly KindFacts[]; readonly readsContent: boolean },
): Promise<readonly ChannelExplanation[]> {
  const rows = await db.$queryRaw<ChannelRow[]>`
    SELECT channel.id AS "channelId", channel.name, channel.kind, enabled, event_keys, filter,
           deleted_at IS NOT NULL AS is_deleted,
           channel.created_at > ${message.createdAt}::timestamptz AS is_newer,
           channel.kind = ANY(plans.channel_kinds) AS in_plan,
           EXISTS (SELECT FROM template_versions version
                    WHERE version.environment_id = ${environmentId}::uuid AND version.event_key = ${message.eventKey}
                      AND version.channel_kind = channel.kind AND version.active) AS has_template,
           ARRAY(SELECT run.id FROM delivery_runs run
                  WHERE run.environment_id = ${environmentId}::uuid AND run.message_id = ${message.id}::uuid
                    AND run.channel_id = channel.id ORDER BY run.id) AS "runIds"
      FROM (SELECT * FROM channels WHERE environment_id = ${environmentId}::uuid AND consumer_id IS NULL
             UNION ALL
            SELECT * FROM channels WHERE environment_id = ${environmentId}::uuid AND consumer_id = ${message.consumerId}) channel
      JOIN environments ON environments.id = channel.environment_id
      JOIN tenants ON tenants.id = environments.tenant_id
      JOIN plans ON plans.code = tenants.plan_code
     WHERE NOT operational AND (deleted_at IS NULL OR deleted_at >= ${message.createdAt}::timestamptz)
     ORDER BY channel.id LIMIT ${MAX_CHANNELS}`;
  const recipient = JSON.parse(message.recipient) as JsonObject;
  const { eventKey, erasedAt } = message;
  // As an object the payload takes up to thirty times as much, so only filters that need it get it.
  const event: FilteredEvent | null =
    readsContent && erasedAt === null && rows.some(({ filter }) => filter !== null)
      ? filteredEvent(
          { eventKey, recipient, payload: JSON.parse(message.payload) as JsonObject },
          await readAttributes(db, environmentId, message.consumerId),
        )
      : null;
  // Each filter is evaluated once, and again to find the false condition. Channels over the limit are left out.
  const meter = event && filterMeter(event, 2);
  return rows.map((row) => {
    const condition = event && meter && failingCondition(row, event, meter);
    const byRow = reasonOf(row, { eventKey, recipient }, condition, kinds);
    const reason = byRow === 'changed_since' && !readsContent && row.filter !== null ? 'filtered' : byRow;
    const { channelId, name, kind, runIds } = row;
    return { channelId, name, kind, reason, condition: reason === 'filtered' ? condition : null, runIds };
  });
}
