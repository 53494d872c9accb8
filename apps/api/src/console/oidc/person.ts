import type { OidcProvider } from '@postrider/config';
import type { ConfirmedPerson } from '@postrider/db';
import { isBareEmailAddress } from '@postrider/domain';
import type { Identity } from './client.ts';

/** Why somebody whom the provider knows may not sign in. */
export type NotEntitled = 'email_missing' | 'email_unverified' | 'email_domain' | 'no_group';

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
