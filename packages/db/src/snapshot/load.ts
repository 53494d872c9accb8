import {
  type BillingStatus,
  type ChannelKind,
  compileFilter,
  type EnvironmentSettings,
  type EventFilter,
  type JsonValue,
  type KindFacts,
  type Plan,
  SERVICE_KINDS,
  tokenScopes,
  withReads,
} from '@postrider/domain';
import { hexOf, inOrderOfHashes } from '../by-hash.ts';
import { Prisma, type Queryable, type UnboundDatabase } from '../client.ts';
import { continued } from '../database-clock.ts';
import { issuedByValidIssuer } from '../usable-issuers.ts';

export interface ChannelSnapshot {
  readonly id: string;
  readonly kind: ChannelKind;
  readonly name: string;
  readonly eventKeys: readonly string[];
  readonly maxAttempts: number;
  /** The filter on its events; null matches all. */
  readonly filter: EventFilter | null;
  /** Whether its runs are held. */
  readonly isPaused: boolean;
  /** Whether its runs follow the order of ordering keys. */
  readonly isOrdered: boolean;
  /** The requirements of its kind on an event. */
  readonly needs: { readonly template: boolean; readonly recipientFields: readonly string[] };
}

/** What an environment says of an event key. */
export interface EventTypeSnapshot {
  /** Null accepts every payload. Always the same object during the snapshot's lifetime. */
  readonly payloadSchema: JsonValue;
  /** Null if its events are transactional. */
  readonly stream: string | null;
  /** The paths of the business ids in a payload. */
  readonly searchKeys: readonly string[];
}

/**
 * Everything that a request needs to know about its environment, its configuration and usage as they were loaded. A cached one is at
 * most `SNAPSHOT_MAX_AGE_MS` old. Ids are UUIDs.
 */
export interface EnvironmentSnapshot {
  readonly environment: { readonly id: string; readonly name: string };
  readonly settings: Pick<
    EnvironmentSettings,
    'unmatchedEvents' | 'missingEmailTemplate' | 'idempotencyKeys' | 'defaultLocale' | 'unknownConsumers'
  >;
  readonly tenant: {
    readonly id: string;
    readonly name: string;
    readonly billingStatus: BillingStatus;
    readonly graceEndsAt: Date | null;
  };
  readonly plan: Plan;
  /** Events used in the current period when the snapshot was loaded. Only the accepting transaction is exact. */
  readonly eventsUsed: number;
  /** The environment's own channels that take events: enabled, and of a known kind that the plan includes. */
  readonly channels: readonly ChannelSnapshot[];
  /** The active template versions, by the kind of their channels and by event key. */
  readonly activeTemplates: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** By event key; only those that say anything. */
  readonly eventTypes: ReadonlyMap<string, EventTypeSnapshot>;
  /** The database's time: its clock at the load plus the time since then on this process's monotonic clock. */
  readonly databaseNow: () => Date;
}

type Settings = EnvironmentSnapshot['settings'];

/** The columns of {@link EnvironmentSnapshot} by their fields. */
interface EnvironmentRow extends Plan, Settings {
  readonly environmentName: string;
  readonly tenantId: string;
  readonly tenantName: string;
  readonly billingStatus: BillingStatus;
  readonly graceEndsAt: Date | null;
  readonly eventsUsed: number;
  readonly now: Date;
}

async function loadEnvironmentRow(db: Queryable, environmentId: string): Promise<EnvironmentRow | undefined> {
  const [row] = await db.$queryRaw<EnvironmentRow[]>`
    SELECT environments.name AS "environmentName", unmatched_events AS "unmatchedEvents",
           missing_email_template AS "missingEmailTemplate", idempotency_keys AS "idempotencyKeys",
           unknown_consumers AS "unknownConsumers", default_locale AS "defaultLocale", tenants.id AS "tenantId",
           tenants.name AS "tenantName", billing_status AS "billingStatus", grace_ends_at AS "graceEndsAt", plans.code, plans.name,
           events_per_month AS "eventsPerMonth", requests_per_second AS "requestsPerSecond", burst,
           max_payload_bytes AS "maxPayloadBytes", max_schedule_days AS "maxScheduleDays", retention_days AS "retentionDays",
           channel_kinds AS "channelKinds", COALESCE(usage.events_used, 0)::float8 AS "eventsUsed", now() AS now
      FROM environments
      JOIN tenants ON tenants.id = environments.tenant_id
      JOIN plans ON plans.code = tenants.plan_code
      LEFT JOIN tenant_usage usage
        ON usage.tenant_id = tenants.id AND usage.period_start = date_trunc('month', now() AT TIME ZONE 'UTC')::date
     WHERE environments.id = ${environmentId}::uuid`;
  return row;
}

/** Thrown for an event whose channel has a filter that only a later release knows. */
export class UnknownFilterError extends Error {}

/**
 * Parses a stored filter. One that this release does not understand, because a newer one stored it, throws {@link
 * UnknownFilterError} for each event that its channel subscribes to: neither matching all events nor none would be
 * correct. Other events and requests are not affected.
 */
function toFilter(filter: JsonValue): EventFilter | null {
  if (filter === null) return null;
  const compiled = compileFilter(filter, { isStored: true });
  if (compiled.ok) return compiled.filter;
  const fail = () => {
    throw new UnknownFilterError(
      `a filter that this release does not know: ${JSON.stringify(compiled.issues)}`,
    );
  };
  return { holds: fail, failing: fail };
}

/** The columns of a channel that snapshots need. */
export interface ChannelRow {
  readonly id: string;
  readonly kind: ChannelKind;
  readonly name: string;
  readonly eventKeys: string[];
  readonly retry: JsonValue;
  readonly filter: JsonValue;
  readonly paused: boolean;
  readonly ordering: string;
}

/** Converts rows to snapshots, without channels of unknown kinds. */
export function toChannelSnapshots(
  rows: readonly ChannelRow[],
  kinds: readonly KindFacts[],
): ChannelSnapshot[] {
  return rows.flatMap(({ id, kind, name, eventKeys, retry, filter, paused: isPaused, ordering }) => {
    const facts = kinds.find((each) => each.kind === kind);
    if (!facts) return [];
    const { requiresTemplate, recipientFields } = facts;
    const { max_attempts: maxAttempts } = retry as { max_attempts: number };
    const needs = { template: requiresTemplate, recipientFields };
    const isOrdered = ordering === 'key';
    return [{ id, kind, name, eventKeys, maxAttempts, isPaused, isOrdered, filter: toFilter(filter), needs }];
  });
}

/** Null if there is no such environment. */
export async function loadEnvironment(
  db: Queryable,
  environmentId: string,
  kinds: readonly KindFacts[] = SERVICE_KINDS,
  monotonicMs: () => number = () => performance.now(),
): Promise<EnvironmentSnapshot | null> {
  const row = await loadEnvironmentRow(db, environmentId);
  // After the wait for a connection, which would put the clock ahead.
  const receivedAt = monotonicMs();
  if (!row) return null;
  const { environmentName, tenantId, tenantName, billingStatus, graceEndsAt, eventsUsed, now, ...rest } = row;
  const { unmatchedEvents, missingEmailTemplate, idempotencyKeys, unknownConsumers, defaultLocale, ...plan } =
    rest;
  const [channels, templates, eventTypes] = await Promise.all([
    db.channel.findMany({
      where: {
        environmentId,
        // Those of consumers are loaded with their consumer.
        consumerId: null,
        enabled: true,
        operational: false,
        deletedAt: null,
        kind: { in: [...plan.channelKinds] },
      },
      select: {
        id: true,
        kind: true,
        name: true,
        eventKeys: true,
        retry: true,
        filter: true,
        paused: true,
        ordering: true,
      },
      orderBy: { id: 'asc' },
    }),
    db.templateVersion.findMany({
      where: { environmentId, active: true },
      select: { id: true, eventKey: true, channelKind: true },
    }),
    db.eventType.findMany({
      where: {
        environmentId,
        OR: [
          { payloadSchema: { not: Prisma.DbNull } },
          { stream: { not: null } },
          { searchKeys: { isEmpty: false } },
        ],
      },
      select: { eventKey: true, payloadSchema: true, stream: true, searchKeys: true },
    }),
  ]);
  const activeTemplates = new Map<string, Map<string, string>>();
  for (const { id, eventKey, channelKind } of templates)
    activeTemplates.set(channelKind, (activeTemplates.get(channelKind) ?? new Map()).set(eventKey, id));
  return {
    environment: { id: environmentId, name: environmentName },
    settings: { unmatchedEvents, missingEmailTemplate, idempotencyKeys, unknownConsumers, defaultLocale },
    tenant: { id: tenantId, name: tenantName, billingStatus, graceEndsAt },
    plan,
    eventsUsed,
    channels: toChannelSnapshots(channels as readonly ChannelRow[], kinds),
    activeTemplates,
    eventTypes: new Map(
      eventTypes.map(({ eventKey, payloadSchema, ...row }) => [
        eventKey,
        { ...row, payloadSchema: payloadSchema as JsonValue },
      ]),
    ),
    databaseNow: continued({ time: now.getTime(), at: receivedAt }, monotonicMs),
  };
}

/** A token that was neither revoked nor expired by the database's clock when it was loaded. */
export interface TokenSnapshot {
  readonly id: string;
  readonly environmentId: string;
  /** What it may do, with the `read` of each area. */
  readonly scopes: ReadonlySet<string>;
  /** The consumer that it is bound to; null for a token of the whole environment. */
  readonly consumerId: string | null;
  /** Its expiry in milliseconds of this process's monotonic clock; Infinity if it does not expire. */
  readonly expiresAt: number;
}

interface TokenRow {
  hash: string;
  id: string;
  environment_id: string;
  scopes: string[];
  consumer_id: string | null;
  expires_in_ms: number | null;
}

/**
 * Finds valid tokens by the SHA-256 of their texts, in the order of the hashes; null for others. A session of the portal ends
 * with what issued its link. The remaining
 * lifetime comes from the database and is counted from before the query, so a token is never accepted for longer.
 */
export async function loadTokens(
  db: UnboundDatabase,
  hashes: readonly Uint8Array[],
  monotonicMs: () => number,
): Promise<(TokenSnapshot | null)[]> {
  const askedAt = monotonicMs();
  const rows = await db.$queryRaw<TokenRow[]>`
    SELECT encode(hash, 'hex') AS hash, id, environment_id, COALESCE(scopes, '{}') AS scopes, consumer_id,
           (extract(epoch FROM expires_at - clock_timestamp()) * 1000)::float8 AS expires_in_ms FROM tokens
     WHERE hash IN (SELECT decode(text, 'hex') FROM unnest(${hexOf(hashes)}::text[]) AS text)
       AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())
       AND ${issuedByValidIssuer('tokens.portal_link_id')}`;
  const toSnapshot = ({ id, environment_id: environmentId, scopes, ...row }: TokenRow) => ({
    id,
    environmentId,
    consumerId: row.consumer_id,
    scopes: withReads(tokenScopes(scopes)),
    expiresAt: row.expires_in_ms === null ? Number.POSITIVE_INFINITY : askedAt + row.expires_in_ms,
  });
  return inOrderOfHashes(
    hashes,
    rows.map((row) => [row.hash, toSnapshot(row)]),
  );
}
