/** The kinds of channel, each with a queue of its own so that a backlog of one does not delay the other. */
export type ChannelKind = 'email' | 'webhook';

export const CHANNEL_KINDS: readonly ChannelKind[] = ['email', 'webhook'];

export const QUEUE_NAMES = {
  email: 'postrider-email',
  webhook: 'postrider-webhook',
} as const satisfies Record<ChannelKind, string>;

/** Prefix of every key in Redis; tests take another so that they do not meet. */
export const DEFAULT_KEY_PREFIX = 'postrider';
