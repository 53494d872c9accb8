import {
  CHANNEL_DEFAULTS,
  type ChannelKind,
  type ChannelOptions,
  type ChannelRecord,
  type ChannelTarget,
  type ConfiguredKind,
  type ConfiguredKinds,
  type CredentialChanges,
  channelOptionsOf,
  conflict,
  invalid,
  invalidValue,
  type JsonObject,
  MAX_CHANNELS_PER_CONSUMER,
  MAX_CHANNELS_PER_ENVIRONMENT,
  MAX_LISTENERS_PER_ENVIRONMENT,
  matchesEvent,
  reject,
  type SecretBox,
} from '@postrider/domain';
import { readChannel, recordChannel, toChannelRecord } from '../channels/channel-record.ts';
import { lockConsumer } from '../channels/consumer-record.ts';
import { readEntitlement } from '../channels/entitlement.ts';
import { Prisma, type Queryable } from '../client.ts';
import { countListeners } from '../sweep/listeners.ts';
import type { ConfigureDeps } from '../transactions/audit.ts';
import { limitNewChannels } from '../transactions/self-service-limits.ts';
import { inTransaction } from '../transactions/transaction.ts';
import { encryptCredentials } from './encrypted-credentials.ts';

/** A new channel. The rules of its kind are already checked. */
export interface ChannelInput extends Partial<Omit<ChannelOptions, 'name'>>, ChannelTarget {
  readonly environmentId: string;
  /** The consumer that it belongs to; none by default. */
  readonly consumerId?: string | null;
  readonly name: string;
  /** The secret of a kind with generated secrets. Generated if left out. */
  readonly secret?: string;
  /** The operator's credentials, by name. */
  readonly credentials?: CredentialChanges;
}

export interface WithKinds {
  readonly kinds: ConfiguredKinds;
}

export interface CreatedChannel {
  readonly channel: ChannelRecord;
  /** The generated secret, shown once; null if the kind has none, or a given one replaces it. */
  readonly secret: string | null;
}

/** JSON Pointers to the URLs of a config that https-only rules refuse. */
export const plaintextUrls = (kind: ConfiguredKind, config: JsonObject): readonly string[] =>
  kind.config.plaintextUrls?.(config) ?? [];

/** Rejects a config with URLs at these paths, because the installation or the environment allows https only. */
export function requireHttps(paths: readonly string[]): void {
  const message = 'must be an https URL, because WEBHOOK_HTTPS_ONLY or https_only of the environment is set';
  if (paths.length > 0) reject(invalid(paths.map((path) => invalidValue(`/config${path}`, message))));
}

/** Rejects a kind that the tenant's plan, or the consumer, does not include; `path` is the field of the request. */
export function rejectKind(path: '/kind' | '/enabled'): never {
  const message =
    "is not included in the tenant's plan, or not in limits.channel_kinds of the consumer: add the kind there";
  reject(invalid([invalidValue(path, message)]));
}

/** The columns of a channel that are configured, in the types that Prisma expects. Without a failure policy the defaults apply. */
export function channelData(
  settings: Omit<ChannelOptions, 'failurePolicy'> & Partial<ChannelOptions> & Pick<ChannelTarget, 'config'>,
) {
  const { eventKeys, retry, filter, failurePolicy, ...options } = channelOptionsOf(settings);
  return {
    ...options,
    eventKeys: [...eventKeys],
    config: settings.config as Prisma.InputJsonObject,
    retry: retry as Prisma.InputJsonObject,
    filter: filter === null ? Prisma.DbNull : (filter as Prisma.InputJsonObject),
    ...(failurePolicy && { failurePolicy: { ...failurePolicy } }),
  };
}

/**
 * Creates a channel. Its secret is encrypted and bound to the row, so it cannot be decrypted for another channel.
 * Concurrent creations in one environment, or for one consumer, are serialised, so that the limit of channels holds.
 * @throws RefusedError if there is no such environment or consumer, or one of its limits is reached
 */
export async function createChannel(
  deps: ConfigureDeps & WithKinds & { readonly secretBox: SecretBox; readonly httpsOnly?: boolean },
  input: ChannelInput,
): Promise<CreatedChannel> {
  const { newId, secretBox, kinds } = deps;
  const { environmentId, consumerId = null, kind } = input;
  return inTransaction(deps, async (tx) => {
    await (consumerId === null
      ? tx.$queryRaw`SELECT FROM environments WHERE id = ${environmentId}::uuid FOR NO KEY UPDATE`
      : // Creations for other consumers do not wait.
        tx.$queryRaw`SELECT FROM environments WHERE id = ${environmentId}::uuid FOR SHARE`);
    const entitlement = await readEntitlement(tx, environmentId);
    if (!entitlement) reject('environment_not_found');
    const consumer = consumerId === null ? null : await lockConsumer(tx, { environmentId, id: consumerId });
    if (consumerId !== null && consumer === null) reject('consumer_not_found');
    const isIncluded =
      entitlement.channelKinds.includes(kind) && (consumer?.channelKinds?.includes(kind) ?? true);
    if (!isIncluded) rejectKind('/kind');
    const rejectMore = (limit: number, what: string) =>
      reject(conflict(`${consumer ? 'This consumer' : 'An environment'} has at most ${limit} ${what}.`));
    const most = consumer
      ? Math.min(consumer.maxChannels ?? MAX_CHANNELS_PER_CONSUMER, MAX_CHANNELS_PER_CONSUMER)
      : MAX_CHANNELS_PER_ENVIRONMENT;
    const count = await tx.channel.count({ where: { environmentId, consumerId, deletedAt: null } });
    if (count >= most) rejectMore(most, 'channels');
    const definition = kinds.get(kind);
    if (definition.isListener?.(input.config)) {
      const limit = MAX_LISTENERS_PER_ENVIRONMENT;
      const listeners = await countListeners(tx, environmentId);
      if (listeners >= limit) rejectMore(limit, 'channels for listeners');
    }
    if (deps.httpsOnly || entitlement.httpsOnly) requireHttps(plaintextUrls(definition, input.config));

    const id = newId();
    const generated = definition.secret && (input.secret ?? definition.secret.create());
    const row = await tx.channel.create({
      data: {
        id,
        environmentId,
        consumerId,
        kind,
        ...channelData({ ...CHANNEL_DEFAULTS, ...input }),
        sealedSecret: generated && secretBox.encrypt(generated, id),
        ...encryptCredentials(secretBox, definition, { id, encrypted: {}, changes: input.credentials ?? {} }),
      },
    });
    const channel = toChannelRecord(row);
    await limitNewChannels(tx, { ...deps, environmentId, consumerId });
    await recordChannel(tx, deps, { action: 'channel.created', before: null, after: channel });
    const { replacedBy } = definition.secret ?? {};
    const isReplaced = replacedBy !== undefined && typeof input.credentials?.[replacedBy] === 'string';
    return { channel: (await readChannel(tx, id)) ?? channel, secret: isReplaced ? null : generated };
  });
}

/** The environment's enabled channels of this kind that subscribe to an event key: those for which a template of the kind is used. */
export async function channelsTaking(
  db: Queryable,
  { environmentId, eventKey, kind }: { environmentId: string; eventKey: string; kind: ChannelKind },
): Promise<readonly { readonly name: string; readonly config: JsonObject }[]> {
  const channels = await db.channel.findMany({
    where: { environmentId, consumerId: null, kind, enabled: true, operational: false, deletedAt: null },
    select: { name: true, config: true, eventKeys: true },
    orderBy: { id: 'asc' },
  });
  return channels
    .filter(({ eventKeys }) => matchesEvent(eventKeys, eventKey))
    .map(({ name, config }) => ({ name, config: config as JsonObject }));
}
