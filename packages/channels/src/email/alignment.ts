import { isJsonObject, type JsonObject, type JsonValue } from '@postrider/domain';

/** The domains that the senders of a channel sign for by DKIM; empty where none of their settings says so. */
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
 * The domains of DKIM signatures that do not align with that of `From`, so that DMARC does not pass by them (RFC 7489
 * section 3.1.1, relaxed). One domain is taken for the other's organization where it is above it.
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
