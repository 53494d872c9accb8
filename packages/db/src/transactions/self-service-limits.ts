import { conflict, isOperationalEventType, reject, retryLater, SELF_SERVICE_LIMITS } from '@postrider/domain';
import { Prisma, type Queryable } from '../client.ts';
import { firstIdAt } from '../first-id-at.ts';
import { defineStatement } from '../statement.ts';
import type { Actor, ActorKind } from './audit.ts';

const {
  changes,
  changesOfConsumer,
  changesOfConsumers,
  newChannels,
  versions,
  eventTypes,
  consumers,
  suppressions,
} = SELF_SERVICE_LIMITS;
const MIB = 1_024 * 1_024;
/** By how much the clock of a process that creates ids may differ from that of the database. */
const CLOCK_SLACK_SECONDS = 300;

/** A change in a transaction. */
interface Change {
  readonly actor: Pick<Actor, 'kind'>;
  readonly environmentId: string;
}

/** Operators and the service have no limits. */
const isLimited = ({ actor: { kind } }: Pick<Change, 'actor'>) =>
  kind === 'environment_token' || kind === 'consumer_token';

const full = (what: string, instead = 'Ask an operator, who can add more.'): never =>
  reject(conflict(`Tokens can store at most ${what} in an environment. ${instead}`));

/** SQL of the smallest id that a row of the last seconds can have, by clocks that differ a little. */
export const sinceId = (seconds: number): Prisma.Sql =>
  Prisma.raw(firstIdAt(`(extract(epoch FROM now()) - ${seconds + CLOCK_SLACK_SECONDS}) * 1000`));

interface ChangeLimit {
  readonly seconds: number;
  readonly count: number;
  readonly bytes: number;
}

interface Changing {
  readonly environmentId: string;
  readonly kind: ActorKind;
  readonly consumerId: string | null;
}

/**
 * SQL of the changes of the last seconds by tokens of a kind, with the bytes of their entries. Other limits apply to entries of
 * consumers' callers that change nothing.
 */
const RECENT = `
  SELECT id, actor, created_at, COALESCE(pg_column_size(before), 0) + COALESCE(pg_column_size(after), 0) AS bytes
    FROM audit_log
   WHERE environment_id = :environmentId::uuid AND actor_kind = :kind
     AND action NOT IN ('consumer.portal_opened', 'message.replayed')
     AND id >= ${sinceId(changes.seconds).sql} AND created_at > now() - make_interval(secs => ${changes.seconds})`;

/**
 * Seconds until these changes, of the last `seconds`, leave room for another; null if they do. With `consumerId` those of one consumer:
 * the name of its actor is its id.
 */
const readWait = defineStatement<Changing & ChangeLimit, { seconds: number | null }>({
  text: `
    SELECT ceil(extract(epoch FROM max(created_at) - now()) + :seconds::int)::int AS seconds
      FROM (SELECT created_at, row_number() OVER newest AS entries, sum(bytes) OVER newest AS bytes
              FROM (${RECENT} AND (:consumerId::text IS NULL OR actor = :consumerId)) AS change
            WINDOW newest AS (ORDER BY id DESC)) AS change
     WHERE entries >= :count::int OR bytes >= :bytes::int`,
});

const readAll = defineStatement<Changing, { is_full: boolean; consumers: number }>({
  text: `
    SELECT count(*) >= ${changesOfConsumers.count} OR COALESCE(sum(bytes), 0) >= ${changesOfConsumers.bytes} AS is_full,
           (count(DISTINCT actor) FILTER (WHERE actor <> :consumerId) + 1)::int AS consumers
      FROM (${RECENT}) AS change`,
});

/**
 * The limit of one consumer. Once all consumers of the environment have made as many changes as they may together, it is an equal share
 * of these for each that has made one, and at least one change. So those that change much cannot keep the others from it, and the more
 * consumers there are, the less each of them adds.
 */
async function limitOfConsumer(db: Queryable, changing: Changing): Promise<ChangeLimit> {
  const { count, bytes } = changesOfConsumers;
  const [row] = await readAll(db, changing);
  if (!row?.is_full) return changesOfConsumer;
  const share = (all: number, most: number) => Math.min(most, Math.max(1, Math.floor(all / row.consumers)));
  return {
    seconds: changesOfConsumer.seconds,
    count: share(count, changesOfConsumer.count),
    bytes: share(bytes, changesOfConsumer.bytes),
  };
}

/**
 * Refuses a further change by the tokens of an environment, or by those of one consumer, if they have made too many, and so limits the
 * growth of the audit log, which has an entry for each. Consumers do not use up what others may change. It is checked before a change
 * does any work, so changes at once can be a few more.
 * @throws RefusedError
 */
export async function limitChanges(
  db: Queryable,
  { environmentId, consumerId }: { readonly environmentId: string; readonly consumerId: string | null },
): Promise<void> {
  const isOfConsumer = consumerId !== null;
  const kind = isOfConsumer ? 'consumer_token' : 'environment_token';
  const changing = { environmentId, kind, consumerId } as const;
  const limit = isOfConsumer ? await limitOfConsumer(db, changing) : changes;
  const [row] = await readWait(db, { ...changing, ...limit });
  if (!row || row.seconds === null) return;
  const { count, bytes, seconds: window } = limit;
  const isShare = isOfConsumer && limit !== changesOfConsumer;
  const most = isShare
    ? 'The consumers of this environment make many changes. Until they make fewer, the tokens of each consumer can ' +
      `make ${count} in ${window} seconds.`
    : `The tokens of ${isOfConsumer ? 'a consumer' : 'an environment'} can make ${count} changes in ${window} seconds, with ${bytes / MIB} MiB in the audit log.`;
  reject(retryLater('rate_limited', row.seconds, `${most} Wait, and combine changes.`));
}

/** Limits how many channels tokens create for the environment itself, or for one consumer, with deleted ones. */
export async function limitNewChannels(
  tx: Queryable,
  change: Change & { readonly consumerId: string | null },
): Promise<void> {
  if (!isLimited(change)) return;
  const [row] = await tx.$queryRaw<{ seconds: number }[]>`
    SELECT ceil(extract(epoch FROM created_at - now()) + ${newChannels.seconds}::int)::int AS seconds
      FROM channels WHERE environment_id = ${change.environmentId}::uuid AND id >= ${sinceId(newChannels.seconds)}
       AND consumer_id IS NOT DISTINCT FROM ${change.consumerId}::text
     ORDER BY id DESC OFFSET ${newChannels.count} LIMIT 1`;
  if (!row || row.seconds <= 0) return;
  const message =
    `The tokens of an environment can create ${newChannels.count} channels in ${newChannels.seconds} seconds for the ` +
    'environment itself, and as many for each consumer. Change existing channels instead of replacing them.';
  reject(retryLater('rate_limited', row.seconds, message));
}

/**
 * Limits the stored versions of templates and parts, with those that the transaction is about to copy. The caller has locked the
 * environment.
 */
export async function limitVersions(
  tx: Queryable,
  change: Change,
  copies: { readonly count: number; readonly bytes: number } = { count: 0, bytes: 0 },
  most: Readonly<Record<keyof typeof versions, number>> = versions,
): Promise<void> {
  if (!isLimited(change)) return;
  const { environmentId } = change;
  const [row] = await tx.$queryRaw<{ count: number; active: number; bytes: bigint }[]>`
    SELECT count(*)::int AS count, count(*) FILTER (WHERE is_active_template)::int AS active, sum(bytes)::int8 AS bytes
      FROM (SELECT active AS is_active_template,
                   COALESCE(pg_column_size(subject), 0) + COALESCE(pg_column_size(html), 0) + COALESCE(pg_column_size(text), 0)
                     + COALESCE(pg_column_size(mjml), 0) + COALESCE(pg_column_size(body), 0)
                     + COALESCE(pg_column_size(envelope), 0) + COALESCE(pg_column_size(parts), 0) AS bytes
              FROM template_versions WHERE environment_id = ${environmentId}::uuid
             UNION ALL
            SELECT false, pg_column_size(content) + COALESCE(pg_column_size(mjml), 0)
              FROM template_parts WHERE environment_id = ${environmentId}::uuid) AS stored`;
  const { count = 0, active = 0, bytes = 0n } = row ?? {};
  const what = 'versions of templates, layouts, partials and translations';
  if (count + copies.count > most.count) full(`${most.count} ${what}`);
  if (Number(bytes) + copies.bytes > most.bytes) full(`${most.bytes / MIB} MiB of ${what}`);
  if (active > most.activeTemplates)
    full(`${most.activeTemplates} active templates`, 'Deactivate templates that are not used.');
}

/**
 * Keeps tokens from the templates of operational events, which say what the operator's own channels send. So they also cannot
 * activate a part that such a template uses.
 */
export function limitTemplates({
  actor,
  eventKey,
}: Pick<Change, 'actor'> & { readonly eventKey: string }): void {
  if (!isLimited({ actor }) || !isOperationalEventType(eventKey)) return;
  const message =
    `${eventKey} is an operational event: only operators can change its templates and their parts. Choose another ` +
    'event key, or ask an operator.';
  reject(conflict(message));
}

/** Limits the event types. The caller has locked the environment. */
export async function limitEventTypes(tx: Queryable, change: Change): Promise<void> {
  if (!isLimited(change)) return;
  const count = await tx.eventType.count({ where: { environmentId: change.environmentId } });
  if (count > eventTypes)
    full(`${eventTypes} event types`, 'Replace one, or send events whose keys have no event type.');
}

/** Refuses a further row of an environment before it is added. Changes at once do not see each other, so there may be a few more. */
async function limitRows(tx: Queryable, change: Change, table: 'consumers' | 'suppressions', most: number) {
  if (!isLimited(change)) return;
  const [row] = await tx.$queryRaw<{ is_full: boolean }[]>`
    SELECT count(*) >= ${most}::int AS is_full
      FROM (SELECT FROM ${Prisma.raw(table)} WHERE environment_id = ${change.environmentId}::uuid LIMIT ${most}) AS stored`;
  if (row?.is_full) full(`${most} ${table}`);
}

/** Limits the consumers, before a new one is added. */
export const limitConsumers = (tx: Queryable, change: Change) =>
  limitRows(tx, change, 'consumers', consumers);

/**
 * Limits the suppression list, before entries are added. So an import can exceed the limit by its own entries, and a full list
 * refuses those that it has, too.
 */
export const limitSuppressions = (tx: Queryable, change: Change) =>
  limitRows(tx, change, 'suppressions', suppressions);
