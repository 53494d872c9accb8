import type { DetailCode } from '../error-codes.ts';

/** One thing that is wrong with a channel's settings; `path` is a JSON Pointer into what was judged. */
export type ChannelFault = { path: string; code: DetailCode; message: string };

const CONTROL_CHARACTER = /\p{Cc}/u;

/** The fault of a text that is to stand on one line, if it does not. */
export function lineFaults(path: string, text: string | null | undefined): ChannelFault[] {
  return typeof text === 'string' && CONTROL_CHARACTER.test(text)
    ? [{ path, code: 'invalid_format', message: 'must not contain line breaks or other control characters' }]
    : [];
}
