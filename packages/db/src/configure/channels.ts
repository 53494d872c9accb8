import {
  type ChannelKind,
  createWebhookSecret,
  DEFAULT_RETRY_POLICY,
  type EmailConfig,
  type JsonObject,
  MAX_CHANNELS_PER_ENVIRONMENT,
  type SecretBox,
  type WebhookConfig,
} from '@postrider/domain';
import type { Prisma, Queryable } from '../client.ts';
import { recordAudit } from './audit.ts';
import { type ConfigureDeps, inTransaction } from './change.ts';
import {
  type ChannelOptions,
  type ChannelRecord,
  type ChannelTarget,
  channelForAudit,
  presentChannel,
  toChannelRecord,
} from './channel-record.ts';

interface CommonChannelInput extends Partial<Omit<ChannelOptions, 'name'>> {
  readonly environmentId: string;
  readonly name: string;
}

export interface WebhookChannelInput extends CommonChannelInput {
  readonly kind: 'webhook';
  readonly config: WebhookConfig;
  /** `whsec_…`; made when left out. */
  readonly secret?: string;
}

export interface EmailChannelInput extends CommonChannelInput {
  readonly kind: 'email';
  readonly config: EmailConfig;
  readonly password?: string;
}

/** A channel to be made; the domain's rules have been applied to it. */
export type ChannelInput = WebhookChannelInput | EmailChannelInput;

export type CreateChannelOutcome =
  | {
      readonly outcome: 'created';
      readonly channel: ChannelRecord;
      /** The webhook's signing secret, shown once; null for an email channel. */
      readonly secret: string | null;
    }
  | { readonly outcome: 'environment_not_found' }
  /** The tenant's plan does not include channels of this kind. */
  | { readonly outcome: 'kind_not_in_plan' }
  | { readonly outcome: 'too_many' };

/** Whose an environment is, and which kinds of channel the plan includes. */
interface Entitlement {
  readonly tenantId: string;
  readonly channelKinds: readonly ChannelKind[];
}

/** What the plan of an environment's tenant says of channels; null when there is no such environment. */
export async function readEntitlement(db: Queryable, environmentId: string): Promise<Entitlement | null> {
  const [row] = await db.$queryRaw<{ tenant_id: string; channel_kinds: ChannelKind[] }[]>`
    SELECT tenants.id AS tenant_id, plans.channel_kinds
      FROM environments
      JOIN tenants ON tenants.id = environments.tenant_id
      JOIN plans ON plans.code = tenants.plan_code
     WHERE environments.id = ${environmentId}::uuid`;
  return row ? { tenantId: row.tenant_id, channelKinds: row.channel_kinds } : null;
}

/** The columns of where a channel leads, as Prisma wants JSON. */
export function targetData({ config }: ChannelTarget): { config: Prisma.InputJsonObject } {
  return { config: config as unknown as JsonObject as Prisma.InputJsonObject };
}

/**
 * Creates a channel of an environment. Its secret is encrypted and bound to the row: it cannot be opened for
 * another channel. Those created at once in an environment take turns, so that there are never too many.
 */
export async function createChannel(
  deps: ConfigureDeps & { readonly secretBox: SecretBox },
  input: ChannelInput,
): Promise<CreateChannelOutcome> {
  const { newId, secretBox } = deps;
  const { environmentId, kind } = input;
  return inTransaction(deps, async (tx) => {
    await tx.$queryRaw`SELECT FROM environments WHERE id = ${environmentId}::uuid FOR NO KEY UPDATE`;
    const entitlement = await readEntitlement(tx, environmentId);
    if (!entitlement) return { outcome: 'environment_not_found' };
    if (!entitlement.channelKinds.includes(kind)) return { outcome: 'kind_not_in_plan' };
    const count = await tx.channel.count({ where: { environmentId, deletedAt: null } });
    if (count >= MAX_CHANNELS_PER_ENVIRONMENT) return { outcome: 'too_many' };

    const id = newId();
    const secret = input.kind === 'webhook' ? (input.secret ?? createWebhookSecret()) : null;
    const toSeal = input.kind === 'webhook' ? secret : (input.password ?? null);
    const row = await tx.channel.create({
      data: {
        id,
        environmentId,
        kind,
        name: input.name,
        enabled: input.enabled ?? true,
        eventKeys: [...(input.eventKeys ?? ['*'])],
        ...targetData(input),
        retry: (input.retry ?? DEFAULT_RETRY_POLICY) as Prisma.InputJsonObject,
        sealedSecret: toSeal === null ? null : secretBox.seal(toSeal, id),
      },
    });
    const channel = toChannelRecord(row);
    await recordAudit(tx, deps, {
      action: 'channel.created',
      resourceId: String(presentChannel(channel).id),
      tenantId: entitlement.tenantId,
      environmentId,
      before: null,
      after: channelForAudit(channel),
    });
    return { outcome: 'created', channel, secret };
  });
}
