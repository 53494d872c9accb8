import type { ChannelKind } from '@postrider/domain';

/** A queue for each kind of channel, so that a backlog of one does not delay the other. */
export const QUEUE_NAMES = {
  email: 'postrider-email',
  webhook: 'postrider-webhook',
} as const satisfies Record<ChannelKind, string>;

/** Prefix of every key in Redis; tests take another so that they do not meet. */
export const DEFAULT_KEY_PREFIX = 'postrider';
