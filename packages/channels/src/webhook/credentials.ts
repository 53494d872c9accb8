import { KIND_FACTS } from '@postrider/domain';
import { changeBoundCredentials, type WantedCredential } from '../bound-credentials.ts';
import type { GivenCredentials } from '../channel.ts';
import { SECRET_OF } from './authentication.ts';
import type { WebhookConfig } from './config.ts';
import { GIVEN_SECRET, givenSecretIssues } from './signatures.ts';
import { createSigningKey } from './signing-keys.ts';
import { privateKeyIssues } from './tls.ts';

const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : url);

export const headerCredential = (name: string) => `headers/${name.toLowerCase()}`;
export const [{ name: SIGNING_KEY, previous: PREVIOUS_SIGNING_KEY }] = KIND_FACTS.webhook.rotatedCredentials;
/** The name of the credential for the private key of `tls`. */
export const TLS_KEY = 'tls/private_key';

function wantedBy({ url, auth, secret_headers = {}, tls, signature }: WebhookConfig): WantedCredential[] {
  // With another authority, another server could impersonate the endpoint.
  const endpoint = JSON.stringify([originOf(url), tls?.ca]);
  const headers = Object.keys(secret_headers).map((name) => ({
    name: headerCredential(name),
    at: ['secret_headers', name],
    boundTo: endpoint,
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
            // A token obtained with this secret is sent to the endpoint.
            boundTo: auth.type === 'oauth2' ? `${originOf(auth.token_url)} ${endpoint}` : endpoint,
            label: secret,
          },
        ]
      : []),
    ...(signature === undefined || signature.type === 'none'
      ? []
      : [
          {
            name: GIVEN_SECRET,
            at: ['signature', 'secret'],
            // It is not sent. A secret of one form may not fit the other.
            boundTo: signature.type === 'standard' ? 'standard' : 'text',
            label: 'secret',
            isOptional: true,
            issuesOf: (secret: string) => givenSecretIssues(secret, signature),
          },
        ]),
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

/**
 * The credentials of a webhook channel: secret headers, the secret of `auth`, the private key of `tls`, and the
 * generated key of `v1a` signatures. A stored credential is never sent to another origin than the one it was given
 * for, nor to one that other authorities vouch for.
 */
export const webhookCredentials: GivenCredentials<WebhookConfig> = {
  change(before, after) {
    const { changes: given, issues } = changeBoundCredentials(wantedBy, before, after);
    const changes: Record<string, string | null> = { ...given };
    if (after.config.signatures?.includes('v1a')) {
      delete changes[SIGNING_KEY];
      delete changes[PREVIOUS_SIGNING_KEY];
      if (!before?.credentials.has(SIGNING_KEY)) changes[SIGNING_KEY] = createSigningKey();
    }
    return { changes, issues };
  },
};
