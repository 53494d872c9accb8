import { isDeepStrictEqual } from 'node:util';
import {
  type ChannelIssue,
  escapePointerSegment,
  type JsonObject,
  type JsonValue,
  valueAt,
} from '@postrider/domain';
import type { GivenCredentials } from './channel.ts';

/** A setting that is stored separately, encrypted, and never shown. */
export interface Credential {
  /** Name in messages, without an article: `password`. */
  readonly label: string;
  /**
   * `true`: required. The name of a setting, or of a nested one such as `dkim/ed25519`: required with that setting and not
   * allowed without it. Left out: optional.
   */
  readonly required?: true | string;
  /** The setting without which an optional credential is not allowed, such as `oauth2`. */
  readonly allowedWith?: string;
  /** The setting that replaces the credential, such as `oauth2`: with it, a stored one is removed, and none may be given. */
  readonly replacedBy?: string;
  /**
   * The settings, or nested ones, that determine where the credential is sent or what it belongs to, such as `host`. When one of
   * them changes, it must be given again.
   */
  readonly sentBy: readonly string[];
  /** Issues of a new value. */
  issuesOf?(value: string, settings: JsonObject): readonly ChannelIssue[];
}

/** A credential among settings: its field, or a nested one such as `dkim/private_key`. */
export type NamedCredential = Credential & { readonly field: string };

/** A credential that a config wants, with what it is bound to. */
export interface WantedCredential {
  readonly name: string;
  /** Where a request has the credential: the names of the fields on the path from the config. */
  readonly at: readonly string[];
  /** The settings that say where the credential is sent or what it belongs to. A stored one stays only while they are unchanged. */
  readonly boundTo: Readonly<Record<string, unknown>>;
  readonly label: string;
  /** The setting without which it is not required. */
  readonly requiredWith?: string | undefined;
  /** Whether a config may go without it. */
  readonly isOptional?: boolean;
  /** Whether a stored one is dropped, instead of asked for again, when `boundTo` changes. */
  readonly isDroppedIfMoved?: boolean;
  /** The issue of a credential that the config does not allow: of a given one, or also of a stored one, which is otherwise removed. */
  readonly refusal?: { readonly issue: ChannelIssue; readonly isOfStored: boolean } | undefined;
  issuesOf?(value: string): readonly ChannelIssue[];
}

/** The change of one credential. `change` is left out if the credential is unchanged, and if it is dropped. */
function changeOf(
  { at, boundTo, label, requiredWith, isOptional, isDroppedIfMoved, refusal, issuesOf }: WantedCredential,
  { given, stored }: { given: JsonValue | undefined; stored: WantedCredential | undefined },
): { readonly change?: string; readonly isDropped?: boolean; readonly issues: readonly ChannelIssue[] } {
  const path = at.map((name) => `/${escapePointerSegment(name)}`).join('');
  const required = (why: string) => ({
    issues: [{ path, code: 'required' as const, message: `is required${why}` }],
  });
  if (refusal) {
    const isRefused = typeof given === 'string' || (refusal.isOfStored && stored && given === undefined);
    return { isDropped: true, issues: isRefused ? [refusal.issue] : [] };
  }
  if (typeof given === 'string') {
    const issues = (issuesOf?.(given) ?? []).map((issue) => ({ ...issue, path }));
    return { change: given, issues };
  }
  if (!stored || given === null) {
    if (isOptional) return { isDropped: true, issues: [] };
    return required(requiredWith === undefined ? '' : ` together with ${requiredWith}`);
  }
  const moved = Object.keys({ ...stored.boundTo, ...boundTo }).find(
    (field) => !isDeepStrictEqual(stored.boundTo[field], boundTo[field]),
  );
  if (moved === undefined) return { issues: [] };
  if (isDroppedIfMoved) return { isDropped: true, issues: [] };
  return required(
    ` again because the ${moved} changes: a stored ${label} is kept only for the server or certificate that it was given for`,
  );
}

/**
 * The credentials that a config requires or allows. Each must be in the request, or be stored for the same destination. Others
 * are removed.
 */
export const boundCredentials = <Config>(
  wantedBy: (config: Config) => readonly WantedCredential[],
): GivenCredentials<Config> => ({
  change(before, { given, config }) {
    const names = before?.credentials ?? new Set<string>();
    const stored = new Map(
      (before ? wantedBy(before.config) : [])
        .filter(({ name }) => names.has(name))
        .map((wanted) => [wanted.name, wanted]),
    );
    const changes: Record<string, string | null> = Object.fromEntries([...names].map((name) => [name, null]));
    const issues: ChannelIssue[] = [];
    for (const wanted of wantedBy(config)) {
      const one = changeOf(wanted, { given: valueAt(given, wanted.at), stored: stored.get(wanted.name) });
      issues.push(...one.issues);
      if (one.isDropped) continue;
      delete changes[wanted.name];
      if (one.change !== undefined) changes[wanted.name] = one.change;
    }
    return { changes, issues };
  },
});
