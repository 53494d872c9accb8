import type { ChannelKind } from '@postrider/domain';

/** The queue of a kind of channel: each has its own, so that a backlog of one does not delay the others. */
export const queueName = (kind: ChannelKind): string => `postrider-${kind}`;

/** Prefix of every key in Redis; tests take another so that they do not meet. */
export const DEFAULT_KEY_PREFIX = 'postrider';
