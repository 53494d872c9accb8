import { type ChannelIssue, escapePointerSegment, type JsonValue, valueAt } from '@postrider/domain';
import type { GivenCredentials } from './channel.ts';

export interface WantedCredential {
  readonly name: string;
  /** Where a request has the credential: the names of the fields on the path from the config. */
  readonly at: readonly string[];
  /** The destination or owner of the credential. A stored credential is dropped when this changes. */
  readonly boundTo: string;
  readonly label: string;
  /** Whether a config may go without it. A stored one is then dropped, instead of asked for again, when `boundTo` changes. */
  readonly isOptional?: boolean;
  issuesOf?(value: string): readonly ChannelIssue[];
}

/** The change of one credential. `change` is left out if the credential is unchanged, and if it is dropped. */
function changeOf(
  { at, boundTo, label, isOptional = false, issuesOf }: WantedCredential,
  { given, stored }: { given: JsonValue | undefined; stored: WantedCredential | null },
): { readonly change?: string; readonly isDropped?: boolean; readonly issues: readonly ChannelIssue[] } {
  const path = at.map((name) => `/${escapePointerSegment(name)}`).join('');
  if (typeof given === 'string') {
    const issues = (issuesOf?.(given) ?? []).map((issue) => ({ ...issue, path }));
    return { change: given, issues };
  }
  if (isOptional) return { issues: [], isDropped: given === null || stored?.boundTo !== boundTo };
  if (!stored || given === null) return { issues: [{ path, code: 'required', message: 'is required' }] };
  if (stored.boundTo === boundTo) return { issues: [] };
  const message = `is required again: a stored ${label} is kept only for the endpoint, its authorities or the certificate that it was given for`;
  return { issues: [{ path, code: 'required', message }] };
}

/**
 * The credentials that a config requires. Each must be in the request, or be stored for the same destination. Credentials that
 * the config no longer requires are removed.
 */
export const boundCredentials = <Config>(
  wantedBy: (config: Config) => readonly WantedCredential[],
): GivenCredentials<Config> => ({
  change(before, { given, config }) {
    const stored = before?.credentials ?? new Set<string>();
    const earlier = new Map((before ? wantedBy(before.config) : []).map((wanted) => [wanted.name, wanted]));
    const changes: Record<string, string | null> = Object.fromEntries(
      [...stored].map((name) => [name, null]),
    );
    const issues: ChannelIssue[] = [];
    for (const wanted of wantedBy(config)) {
      const known = stored.has(wanted.name) ? (earlier.get(wanted.name) ?? null) : null;
      const one = changeOf(wanted, { given: valueAt(given, wanted.at), stored: known });
      issues.push(...one.issues);
      if (one.isDropped) continue;
      delete changes[wanted.name];
      if (one.change !== undefined) changes[wanted.name] = one.change;
    }
    return { changes, issues };
  },
});
