/** The kinds of channel that a run can be delivered over: docs/specification.md, "Channel matching". */
export const CHANNEL_KINDS = ['email', 'webhook'] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];
