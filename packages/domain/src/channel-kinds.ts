/**
 * A kind of channel, such as `email`. An open text: which kinds there are is known to the registry of
 * `@postrider/channels`, against which it is checked where it enters.
 */
export type ChannelKind = string;
