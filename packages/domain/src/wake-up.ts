import type { ChannelKind } from './channels/channel-kinds.ts';

/** Tells workers that a channel has work. PostgreSQL knows which runs. */
export interface WakeUp {
  /** UUID of the channel. */
  readonly channelId: string;
  readonly channelKind: ChannelKind;
  /** Milliseconds until a run of the channel is due; 0 if one is due now. */
  readonly delayMs: number;
  /**
   * When the earliest run that it is about is due, in milliseconds since the epoch by the database's clock. Left out if
   * the caller does not know it, as for a retry, and for runs that waited before: they may have been due for long.
   */
  readonly dueMs?: number;
}
