import {
  type AttemptErrorCode,
  type ChannelKind,
  COMMON_ATTEMPT_ERROR_CODES,
  conflict,
  oncePerObject,
  reject,
} from '@postrider/domain';
import { amqpKind } from './amqp/index.ts';
import type { ChannelKindDefinition } from './channel.ts';
import { emailKind } from './email/index.ts';
import { kafkaKind } from './kafka/index.ts';
import { sqsKind } from './sqs/index.ts';
import { webhookKind } from './webhook/index.ts';

export interface ChannelRegistry {
  /** In the order of registration. */
  readonly definitions: readonly ChannelKindDefinition[];
  /** The names of the kinds, in alphabetical order. */
  readonly kinds: readonly ChannelKind[];
  /** Every `error_code` that an attempt can have. */
  readonly attemptErrorCodes: readonly AttemptErrorCode[];
  /** The definition of a kind, or null. */
  find(kind: ChannelKind): ChannelKindDefinition | null;
  /**
   * Like {@link find}.
   * @throws RefusedError for an unknown kind, which only a later release stores
   */
  get(kind: ChannelKind): ChannelKindDefinition;
}

const KIND = /^[a-z][a-z0-9_]{0,30}$/;

/** Throws an Error if two kinds have the same name, or if a name is not in lower case. */
export function createChannelRegistry(definitions: readonly ChannelKindDefinition[]): ChannelRegistry {
  const byKind = new Map(definitions.map((definition) => [definition.kind, definition]));
  const kinds = [...byKind.keys()].sort();
  if (kinds.length < definitions.length) throw new Error('two channel kinds have the same name');
  const malformed = kinds.find((kind) => !KIND.test(kind));
  if (malformed !== undefined) throw new Error(`${malformed} cannot be the name of a channel kind`);
  const [cancelled, ...common] = COMMON_ATTEMPT_ERROR_CODES;
  const own = definitions.flatMap(({ errorCodes }) => errorCodes);
  const find = (kind: ChannelKind) => byKind.get(kind) ?? null;

  return {
    definitions,
    kinds,
    attemptErrorCodes: [...new Set([cancelled, ...own, ...common])],
    find,
    get: (kind) =>
      find(kind) ??
      reject(
        conflict(`This release does not know channels of kind ${kind}: use the release that created it.`),
      ),
  };
}

/** The channel kinds of the service. A new kind is one line here. */
export const channelKinds: ChannelRegistry = createChannelRegistry([
  webhookKind,
  emailKind,
  amqpKind,
  sqsKind,
  kafkaKind,
]);

/** Caches a value per registry: each call with the same registry returns the same value. */
export const perRegistry: <Value>(
  make: (registry: ChannelRegistry) => Value,
) => (registry: ChannelRegistry) => Value = oncePerObject;
