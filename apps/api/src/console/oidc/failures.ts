import type { OidcProvider } from '@postrider/config';
import type { ConfirmedPerson, PersonRefused } from '@postrider/db';
import { isBareEmailAddress } from '@postrider/domain';
import { errors as joseErrors } from 'jose';
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { type Identity, InvalidResponse } from './client.ts';
import { isProviderAway } from './fetch.ts';

/** Why somebody whom the provider knows may not sign in. */
type NotEntitled = 'email_missing' | 'email_unverified' | 'email_domain' | 'no_group';

/** The operator whom the configuration makes of a person; or why it makes none. */
export function personOf(
  { id, groups, emailDomains }: OidcProvider,
  identity: Identity,
): ConfirmedPerson | NotEntitled {
  const { subject, email } = identity;
  if (email === null || !isBareEmailAddress(email)) return 'email_missing';
  if (!identity.isEmailVerified) return 'email_unverified';
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (emailDomains !== null && !emailDomains.includes(domain)) return 'email_domain';
  const entitled = groups.find(({ group }) => identity.groups.includes(group));
  if (!entitled) return 'no_group';
  const { role, tenantIds, environmentIds } = entitled;
  return { provider: id, subject, email, name: identity.name ?? email, role, tenantIds, environmentIds };
}

/**
 * Why a sign-in at a provider failed. `away`: the provider did not respond, or cannot now. `refused`: it said no. `invalid`: its
 * answer is not one for this sign-in. `misconfigured`: it does not accept this service. `expired`: the sign-in was not begun in
 * this browser, was used, or took too long. `unavailable`: this
 * service cannot count attempts now. The console has words for each.
 */
export type SignInFailure =
  | 'away'
  | 'refused'
  | 'invalid'
  | 'misconfigured'
  | 'expired'
  | 'too_many'
  | 'unavailable'
  | NotEntitled
  | PersonRefused;

/** RFC 6749 sections 4.1.2.1 and 5.2, OpenID Connect Core 1.0 section 3.1.2.6. */
const AWAY = ['server_error', 'temporarily_unavailable'];
const MISCONFIGURED = [
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
  'invalid_scope',
  'invalid_request',
];
const REFUSED = ['access_denied', 'login_required', 'consent_required', 'interaction_required'];

/**
 * What an error of the client of a provider means.
 * @throws the error itself if it is none of the provider's
 */
export function failureOf(error: unknown): SignInFailure {
  if (isProviderAway(error)) return 'away';
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    if (AWAY.includes(error.error)) return 'away';
    if (MISCONFIGURED.includes(error.error)) return 'misconfigured';
    return REFUSED.includes(error.error) ? 'refused' : 'invalid';
  }
  const isOfProvider =
    error instanceof ClientError ||
    error instanceof WWWAuthenticateChallengeError ||
    error instanceof joseErrors.JOSEError ||
    error instanceof InvalidResponse;
  if (isOfProvider) return 'invalid';
  throw error;
}

/** Whether the provider no longer knows a session that it confirmed before, or has withdrawn it. */
export function isWithdrawn(error: unknown): boolean {
  if (error instanceof ResponseBodyError) return error.error === 'invalid_grant';
  return error instanceof WWWAuthenticateChallengeError && error.status === 401;
}
