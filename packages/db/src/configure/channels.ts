import {
  createWebhookSecret,
  DEFAULT_RETRY_POLICY,
  type IdSource,
  type JsonObject,
  type RetryPolicy,
  type SecretBox,
} from '@postrider/domain';
import type { Prisma, Queryable } from '../client.ts';

interface CommonChannelInput {
  readonly environmentId: string;
  readonly name: string;
  readonly enabled?: boolean;
  /** Event keys or patterns; all events when left out. */
  readonly eventKeys?: readonly string[];
  readonly retry?: RetryPolicy;
}

export interface WebhookChannelInput extends CommonChannelInput {
  readonly kind: 'webhook';
  readonly config: {
    readonly url: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly timeout_ms?: number;
  };
  /** `whsec_…`; made when left out. */
  readonly secret?: string;
}

export interface EmailChannelInput extends CommonChannelInput {
  readonly kind: 'email';
  readonly config: {
    readonly smtp: {
      readonly host: string;
      readonly port: number;
      readonly secure: boolean;
      readonly username?: string;
    };
    readonly from: { readonly email: string; readonly name?: string };
    readonly reply_to?: string;
    readonly timeout_ms?: number;
  };
  readonly password?: string;
}

export type ChannelInput = WebhookChannelInput | EmailChannelInput;

export interface CreatedChannel {
  readonly id: string;
  /** The webhook's signing secret, shown once; null for an email channel. */
  readonly secret: string | null;
}

/**
 * Creates a channel. Its secret is encrypted and bound to the row: it cannot be opened for another channel.
 */
export async function createChannel(
  { db, newId, secretBox }: { db: Queryable; newId: IdSource; secretBox: SecretBox },
  input: ChannelInput,
): Promise<CreatedChannel> {
  const id = newId();
  const secret = input.kind === 'webhook' ? (input.secret ?? createWebhookSecret()) : null;
  const toSeal = input.kind === 'webhook' ? secret : (input.password ?? null);
  await db.channel.create({
    data: {
      id,
      environmentId: input.environmentId,
      kind: input.kind,
      name: input.name,
      enabled: input.enabled ?? true,
      eventKeys: [...(input.eventKeys ?? ['*'])],
      config: input.config as unknown as JsonObject as Prisma.InputJsonObject,
      retry: (input.retry ?? DEFAULT_RETRY_POLICY) as unknown as Prisma.InputJsonObject,
      sealedSecret: toSeal === null ? null : secretBox.seal(toSeal, id),
    },
  });
  return { id, secret };
}
