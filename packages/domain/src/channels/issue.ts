import type { DetailCode } from '../error-codes.ts';
import { hasControlCharacter } from '../one-line.ts';

/** One thing that is wrong with a channel's settings; `path` is a JSON Pointer into what was checked. */
export type ChannelIssue = { path: string; code: DetailCode; message: string };

/** A rule on `Body` that a JSON Schema cannot express. */
export interface ChannelRule<Body> {
  /** JSON Pointers to what the rule reads: it is checked only where these fulfil the schema. */
  readonly reads: readonly string[];
  readonly issuesOf: (body: Body) => ChannelIssue[];
}

/** The issue of a text that must stand on one line, if it does not. */
export function lineIssues(path: string, text: string | null | undefined): ChannelIssue[] {
  return typeof text === 'string' && hasControlCharacter(text)
    ? [{ path, code: 'invalid_format', message: 'must not contain line breaks or other control characters' }]
    : [];
}
