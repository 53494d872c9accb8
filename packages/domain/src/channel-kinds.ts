/** The kinds of channel that a run can be delivered over: contract section 4. */
export const CHANNEL_KINDS = ['email', 'webhook'] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];
