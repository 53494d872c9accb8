import {
  type ChannelIssue,
  escapePointerSegment,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '@postrider/domain';
import type { CredentialChanges, GivenCredentials } from '../channel.ts';
import { SECRET_OF } from './authentication.ts';
import type { WebhookConfig } from './config.ts';
import { createSigningKey } from './signing-key.ts';
import { privateKeyIssues } from './tls.ts';

/** A secret that a config wants. */
interface Wanted {
  readonly name: string;
  /** Where a request gives it, as the names on the way from the config. */
  readonly at: readonly string[];
  /** What it is sent to, or belongs to: one that is stored is not kept when that changes. */
  readonly boundTo: string;
  readonly label: string;
  issuesOf?(value: string): readonly ChannelIssue[];
}

const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : url);

/** The credential that holds the value of a secret header. */
export const headerCredential = (name: string) => `headers/${name.toLowerCase()}`;
export const SIGNING_KEY = 'signing_key';
export const PREVIOUS_SIGNING_KEY = 'previous_signing_key';
/** The credential that is the private key of `tls`. */
export const TLS_KEY = 'tls/private_key';

function wantedBy({ url, auth, secret_headers = {}, tls }: WebhookConfig): Wanted[] {
  const origin = originOf(url);
  const headers = Object.keys(secret_headers).map((name) => ({
    name: headerCredential(name),
    at: ['secret_headers', name],
    boundTo: origin,
    label: 'value',
  }));
  const secret = auth && SECRET_OF[auth.type];
  return [
    ...headers,
    ...(auth && secret
      ? [
          {
            name: `auth/${secret}`,
            at: ['auth', secret],
            // A token that is had with the secret goes to the endpoint.
            boundTo: auth.type === 'oauth2' ? `${originOf(auth.token_url)} ${origin}` : origin,
            label: secret,
          },
        ]
      : []),
    ...(tls?.certificate === undefined
      ? []
      : [
          {
            name: TLS_KEY,
            at: ['tls', 'private_key'],
            boundTo: tls.certificate,
            label: 'private key',
            issuesOf: (key: string) => privateKeyIssues(key, tls.certificate),
          },
        ]),
  ];
}

function valueAt(config: JsonObject, at: readonly string[]): JsonValue | undefined {
  return at.reduce<JsonValue | undefined>(
    (value, name) => (value !== undefined && isJsonObject(value) ? value[name] : undefined),
    config,
  );
}

/** What becomes of one secret: `change` is left out when it stays as it is. */
function changeOf(
  { at, boundTo, label, issuesOf }: Wanted,
  { given, stored }: { given: JsonValue | undefined; stored: Wanted | null },
): { readonly change?: string; readonly issues: readonly ChannelIssue[] } {
  const path = at.map((name) => `/${escapePointerSegment(name)}`).join('');
  if (typeof given === 'string') {
    const issues = (issuesOf?.(given) ?? []).map((issue) => ({ ...issue, path }));
    return { change: given, issues };
  }
  if (!stored || given === null) return { issues: [{ path, code: 'required', message: 'is required' }] };
  if (stored.boundTo === boundTo) return { issues: [] };
  const message = `is required again: a stored ${label} is kept only for the endpoint or certificate that it was given for`;
  return { issues: [{ path, code: 'required', message }] };
}

/**
 * The credentials of a webhook channel: secret headers, the secret of `auth`, the private key of `tls`, and the key of
 * `v1a` signatures, which is made here. A stored one is sent to no other origin than it was given for.
 */
export const webhookCredentials: GivenCredentials<WebhookConfig> = {
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
      delete changes[wanted.name];
      if (one.change !== undefined) changes[wanted.name] = one.change;
    }
    if (config.signatures?.includes('v1a')) {
      delete changes[SIGNING_KEY];
      delete changes[PREVIOUS_SIGNING_KEY];
      if (!stored.has(SIGNING_KEY)) changes[SIGNING_KEY] = createSigningKey();
    }
    return { changes: changes satisfies CredentialChanges, issues };
  },
};
