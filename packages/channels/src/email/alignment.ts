import { isJsonObject, type JsonObject, type JsonValue } from '@postrider/domain';

/** The domains for which the senders of a channel sign by DKIM; empty if no sender's settings name one. */
function signedDomains(config: JsonObject): string[] {
  const senders = Array.isArray(config.senders) ? config.senders : [config];
  return senders
    .filter(isJsonObject)
    .flatMap((sender) => Object.values(sender))
    .filter((settings): settings is JsonObject => isJsonObject(settings as JsonValue))
    .flatMap(({ dkim }) => (isJsonObject(dkim) && typeof dkim.domain === 'string' ? [dkim.domain] : []));
}

const isUnder = (domain: string, parent: string) => domain === parent || domain.endsWith(`.${parent}`);

/**
 * The DKIM domains that do not align with the domain of `From`, so that DMARC would not pass through them (RFC 7489
 * section 3.1.1, relaxed). A parent domain counts as the organizational domain.
 */
export function unalignedDomains(config: JsonObject): string[] {
  const { from } = config;
  const email = isJsonObject(from) && typeof from.email === 'string' ? from.email : '';
  const fromDomain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  const domains = signedDomains(config).map((domain) => domain.toLowerCase());
  return [...new Set(domains)].filter(
    (domain) => !isUnder(fromDomain, domain) && !isUnder(domain, fromDomain),
  );
}
