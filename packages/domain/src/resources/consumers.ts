import type { ChannelKind } from '../channels/channel-kinds.ts';
import { presentFields } from '../present.ts';
import type { JsonObject } from '../storable-json.ts';

/** The id of a consumer, which the client chooses. */
export const CONSUMER_ID_PATTERN = '^[A-Za-z0-9_.:-]{1,128}$';
const CONSUMER_ID = new RegExp(CONSUMER_ID_PATTERN);

export const isConsumerId = (text: string): boolean => CONSUMER_ID.test(text);

/** The most channels of a consumer. Its own limit can be lower. */
export const MAX_CHANNELS_PER_CONSUMER = 50;
/** The most characters of the JSON of a consumer's attributes. */
export const MAX_CONSUMER_ATTRIBUTES_LENGTH = 4_096;

/** The limits of a consumer; null: none but those of the tenant and of the service. */
export interface ConsumerLimits {
  readonly eventsPerMonth: number | null;
  readonly eventsPerSecond: number | null;
  readonly maxChannels: number | null;
  readonly channelKinds: readonly ChannelKind[] | null;
}

/** What a client chooses of a consumer. */
export interface ConsumerSettings extends ConsumerLimits {
  readonly name: string | null;
  /** Filters of channels can compare them. */
  readonly attributes: JsonObject;
  readonly contactEmail: string | null;
  /** Whether its channels take events. */
  readonly enabled: boolean;
}

/** A consumer that is created because an event names it. */
export const NEW_CONSUMER: ConsumerSettings = {
  name: null,
  attributes: {},
  contactEmail: null,
  enabled: true,
  eventsPerMonth: null,
  eventsPerSecond: null,
  maxChannels: null,
  channelKinds: null,
};

/** A consumer that is not deleted. */
export interface ConsumerRecord extends ConsumerSettings {
  /** UUID. */
  readonly environmentId: string;
  readonly id: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What a consumer has used of its limits. */
export interface ConsumerUsage {
  /** Events of the current month (UTC). Replays do not count. */
  readonly events: number;
  readonly channels: number;
  /** The newest first, with the current one; without those that had no events. */
  readonly months: readonly {
    /** Its first day, such as `2026-11-01`. */
    readonly periodStart: string;
    readonly events: number;
  }[];
}

/** The settings of a consumer in the API's form (docs/specification.md, "Consumers"). */
export function presentConsumerSettings(settings: ConsumerSettings): JsonObject {
  return {
    ...presentFields(settings, ['name', 'attributes', 'contactEmail', 'enabled']),
    limits: {
      ...presentFields(settings, ['eventsPerMonth', 'eventsPerSecond']),
      channels: settings.maxChannels,
      ...presentFields(settings, ['channelKinds']),
    },
  };
}

/** A consumer as the API shows it. */
export function presentConsumer(consumer: ConsumerRecord): JsonObject {
  return {
    ...presentFields(consumer, ['environmentId', 'id']),
    ...presentConsumerSettings(consumer),
    ...presentFields(consumer, ['createdAt', 'updatedAt']),
  };
}

/** A consumer as the audit log stores it: without what can be personal. */
export function consumerForAudit(consumer: ConsumerRecord): JsonObject {
  const { name: _name, attributes: _attributes, contact_email: _email, ...rest } = presentConsumer(consumer);
  return rest;
}
