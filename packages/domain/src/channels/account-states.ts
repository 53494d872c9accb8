/** The breaker of a channel's mail account opened, or closed again. */
export type AccountStateChange = { readonly channelId: string; readonly account: string } & (
  | { readonly state: 'open'; readonly pauseMs: number; readonly reason: string }
  | { readonly state: 'closed' }
);

/** A breaker that was open when the process started. */
export interface OpenBreaker {
  readonly channelId: string;
  readonly account: string;
  /** End of the open time, as wall clock in milliseconds. */
  readonly untilMs: number;
}
