import type { DetailCode } from '../error-codes.ts';

/** One thing that is wrong with a channel's settings; `path` is a JSON Pointer into what was judged. */
export type ChannelFault = { path: string; code: DetailCode; message: string };

/** What no schema can say of `Body`. */
export interface ChannelRule<Body> {
  /** JSON Pointers to what it reads: it is asked only where these fulfil the schema. */
  readonly reads: readonly string[];
  readonly faultsOf: (body: Body) => ChannelFault[];
}

/**
 * Control characters, what breaks lines in Unicode alone (U+2028, U+2029), and what turns the direction of the text
 * after it (UAX #9: U+202A-U+202E, U+2066-U+2069). The marks that Hebrew and Arabic names need are none of them.
 */
const CONTROL_CHARACTER = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u;

/** The fault of a text that is to stand on one line, if it does not. */
export function lineFaults(path: string, text: string | null | undefined): ChannelFault[] {
  return typeof text === 'string' && CONTROL_CHARACTER.test(text)
    ? [{ path, code: 'invalid_format', message: 'must not contain line breaks or other control characters' }]
    : [];
}
