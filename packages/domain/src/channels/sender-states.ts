/** The breaker of a channel's sender opened, or closed again. */
export type SenderStateChange = { readonly channelId: string; readonly sender: string } & (
  | { readonly state: 'open'; readonly pauseMs: number; readonly reason: string }
  | { readonly state: 'closed' }
);

/** A breaker that was open when the process started. */
export interface OpenBreaker {
  readonly channelId: string;
  readonly sender: string;
  /** End of the open time, as wall clock in milliseconds. */
  readonly untilMs: number;
}
