import type { DetailCode } from '../error-codes.ts';
import { hasControlCharacter } from '../one-line.ts';

/** One thing that is wrong with a channel's settings; `path` is a JSON Pointer into what was judged. */
export type ChannelFault = { path: string; code: DetailCode; message: string };

/** What no schema can say of `Body`. */
export interface ChannelRule<Body> {
  /** JSON Pointers to what it reads: it is asked only where these fulfil the schema. */
  readonly reads: readonly string[];
  readonly faultsOf: (body: Body) => ChannelFault[];
}

/** The fault of a text that is to stand on one line, if it does not. */
export function lineFaults(path: string, text: string | null | undefined): ChannelFault[] {
  return typeof text === 'string' && hasControlCharacter(text)
    ? [{ path, code: 'invalid_format', message: 'must not contain line breaks or other control characters' }]
    : [];
}
