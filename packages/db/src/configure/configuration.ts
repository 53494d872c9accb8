import {
  type ChannelRecord,
  type EventTypeRecord,
  formatId,
  type JsonObject,
  type PartRecord,
  type PlanRecord,
  type RoleRecord,
  type TemplateRecord,
} from '@postrider/domain';
import { toChannelRecord } from '../channels/channel-record.ts';
import type { AnyClient, Queryable } from '../client.ts';
import { jsonBytes } from '../pages.ts';
import { defineStatement } from '../statement.ts';
import { type ConfigureDeps, recordAudit } from '../transactions/audit.ts';
import { credentialsOfRow, type EncryptedCredentials } from './encrypted-credentials.ts';
import { toEventTypeRecord } from './event-types.ts';
import { toPartRecord } from './parts/parts.ts';
import { toTemplateRecord } from './templates.ts';

/** What an environment is configured with: active versions, and the channels that are not a consumer's. */
export interface StoredConfiguration {
  readonly eventTypes: readonly EventTypeRecord[];
  readonly parts: readonly PartRecord[];
  readonly templates: readonly TemplateRecord[];
  readonly channels: readonly ChannelRecord[];
  readonly plans: readonly PlanRecord[];
  readonly roles: readonly RoleRecord[];
}

const text = (column: string) => `COALESCE(octet_length(${column}), 0)`;
const measure = defineStatement<{ readonly environmentId: string }, { bytes: number }>({
  text: `
    SELECT ((SELECT COALESCE(sum(${jsonBytes('payload_schema')} + ${text('description')} + 200), 0)
               FROM event_types WHERE environment_id = :environmentId::uuid)
          + (SELECT COALESCE(sum(GREATEST(${text('content')}, ${text('mjml')}) + 200), 0)
               FROM template_parts WHERE environment_id = :environmentId::uuid AND active)
          + (SELECT COALESCE(sum(${text('subject')} + GREATEST(${text('html')}, ${text('mjml')}) + ${text('text')}
                                 + ${jsonBytes('body')} + ${jsonBytes('envelope')} + 200), 0)
               FROM template_versions WHERE environment_id = :environmentId::uuid AND active)
          + (SELECT COALESCE(sum(${jsonBytes('config')} + ${jsonBytes('filter')} + 500), 0)
               FROM channels WHERE environment_id = :environmentId::uuid AND consumer_id IS NULL AND deleted_at IS NULL))::float8 AS bytes`,
  environments: ({ environmentId }) => [environmentId],
});

/** The bytes of what {@link readConfiguration} reads of an environment, without plans and roles, which are small. */
export async function measureConfiguration(db: AnyClient, environmentId: string): Promise<number> {
  return (await measure(db, { environmentId }))[0]?.bytes ?? 0;
}

/** Reads the configuration of an environment, and the plans and own roles of the installation. */
export async function readConfiguration(db: Queryable, environmentId: string): Promise<StoredConfiguration> {
  const active = { where: { environmentId, active: true } };
  const eventTypes = await db.eventType.findMany({ where: { environmentId } });
  const parts = await db.templatePart.findMany(active);
  const templates = await db.templateVersion.findMany(active);
  const channels = await db.channel.findMany({ where: { environmentId, consumerId: null, deletedAt: null } });
  return {
    eventTypes: eventTypes.map(toEventTypeRecord),
    parts: parts.map(toPartRecord),
    templates: templates.map(toTemplateRecord),
    channels: channels.map((row) => toChannelRecord(row)),
    plans: await db.plan.findMany(),
    roles: await db.role.findMany(),
  };
}

/** Hides a channel in a transaction that will be undone. Its deletion would also end its runs, which workers could not claim meanwhile. */
export async function hideChannel(tx: Queryable, id: string): Promise<void> {
  await tx.$executeRaw`UPDATE channels SET deleted_at = now() WHERE id = ${id}::uuid`;
}

const APPLIED = 'environment.configuration_applied';

/** What the audit log has about the last document that was applied to an environment. */
export interface AppliedConfiguration {
  readonly at: Date;
  readonly actor: string;
  readonly requestId: string | null;
  readonly applied: JsonObject;
}

/** Records in the transaction of the changes what a document has left. It groups their entries by the id of the request. */
export function recordAppliedConfiguration(
  tx: Queryable,
  deps: ConfigureDeps,
  { id, applied }: { readonly id: string; readonly applied: JsonObject },
): Promise<void> {
  return recordAudit(tx, deps, {
    action: APPLIED,
    resourceId: formatId('env', id),
    environmentId: id,
    before: null,
    after: applied,
  });
}

/** What was applied last; null if nothing was, or the entry was removed. */
export async function readAppliedConfiguration(
  db: Queryable,
  environmentId: string,
): Promise<AppliedConfiguration | null> {
  const found = await db.auditEntry.findFirst({
    where: { resourceType: 'environment', resourceId: formatId('env', environmentId), action: APPLIED },
    orderBy: { id: 'desc' },
  });
  if (!found) return null;
  const { createdAt: at, actor, requestId, after } = found;
  return { at, actor, requestId, applied: after as JsonObject };
}

/** The encrypted credentials of channels, by their UUIDs and names; the one in the secret column is `null`'s. */
export async function readEncryptedCredentials(
  db: Queryable,
  channelId: string,
): Promise<{ readonly inColumn: string | null; readonly named: EncryptedCredentials }> {
  const row = await db.channel.findFirst({
    where: { id: channelId, deletedAt: null },
    select: { sealedSecret: true, sealedCredentials: true },
  });
  return { inColumn: row?.sealedSecret ?? null, named: row ? credentialsOfRow(row) : {} };
}
