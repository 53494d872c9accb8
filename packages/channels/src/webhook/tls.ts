import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { ChannelIssue, JsonObject, JsonValue } from '@postrider/domain';
import { type JsonSchema, nullable, record, text } from '../schema.ts';

/** A channel's client certificate and trusted authorities. The private key is a credential. */
export type WebhookTls = {
  ca?: string;
  certificate?: string;
  /** Read from the certificate, so that a query can find certificates that expire. ISO 8601. */
  expires_at?: string;
};

/** Enough for several authorities, or for a chain. */
export const MAX_PEM_LENGTH = 32_768;
const MAX_CERTIFICATES = 10;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\sA-Za-z0-9+/=]+-----END CERTIFICATE-----/g;

const pem = (description: string): JsonSchema => ({
  type: ['string', 'null'],
  minLength: 1,
  maxLength: MAX_PEM_LENGTH,
  description,
});

/**
 * Schema of `tls` in a request. `subject` and `expires_at` are accepted so that a presented config can be sent back.
 */
export const TLS_SCHEMA: JsonSchema = {
  type: ['object', 'null'],
  additionalProperties: false,
  default: null,
  description: 'Mutual TLS and private authorities. Only for https.',
  properties: {
    ca: pem(
      "Certificates (PEM) of the authorities that the endpoint's certificate must come from; they " +
        'replace the public ones.',
    ),
    certificate: pem('The client certificate (PEM), with its chain.'),
    private_key: {
      ...pem(
        'Its private key (PEM), without a passphrase. Stored encrypted and never shown; must be given with each new certificate.',
      ),
      writeOnly: true,
    },
    subject: { type: ['string', 'null'], description: 'Ignored.' },
    expires_at: { type: ['string', 'null'], description: 'Ignored.' },
  },
};

export const PRESENTED_TLS = nullable(
  record('Mutual TLS and private authorities.', {
    ca: nullable(text('Certificates of the authorities, in PEM.')),
    certificate: nullable(text('The client certificate, in PEM.')),
    subject: nullable(text('The subject of the certificate.')),
    expires_at: nullable(text('When the certificate expires.')),
  }),
);

const certificatesIn = (pemText: string): string[] => pemText.match(CERTIFICATE) ?? [];

/** The first certificate in a PEM text; null if none can be read. */
function firstCertificate(pemText: string): X509Certificate | null {
  const [first] = certificatesIn(pemText);
  if (first === undefined) return null;
  try {
    return new X509Certificate(first);
  } catch {
    return null;
  }
}

/** When the first certificate in a PEM text expires, ISO 8601; null if none can be read. */
export function certificateEnd(pemText: string): string | null {
  const shown = firstCertificate(pemText);
  return shown && new Date(shown.validTo).toISOString();
}

export function pemIssues(path: string, pemText: JsonValue | undefined): ChannelIssue[] {
  if (typeof pemText !== 'string') return [];
  const found = certificatesIn(pemText);
  const isValid = found.length > 0 && found.every((certificate) => firstCertificate(certificate) !== null);
  if (!isValid) {
    return [
      { path, code: 'invalid_format', message: 'must be certificates in PEM (-----BEGIN CERTIFICATE-----)' },
    ];
  }
  if (found.length <= MAX_CERTIFICATES) return [];
  return [{ path, code: 'too_long', message: `must not have more than ${MAX_CERTIFICATES} certificates` }];
}

/** Issues of a private key for a certificate. Paths start at `tls`. */
export function privateKeyIssues(key: string, certificate: string | undefined): ChannelIssue[] {
  const issue = (message: string): ChannelIssue[] => [
    { path: '/private_key', code: 'invalid_value', message },
  ];
  const shown = certificate === undefined ? null : firstCertificate(certificate);
  if (!shown) return [];
  try {
    const matches = shown.checkPrivateKey(createPrivateKey(key));
    return matches ? [] : issue('must be the key of the certificate');
  } catch {
    return issue('must be a private key in PEM without a passphrase');
  }
}

/** Issues of `tls` in a request that fulfils the schema. Paths start at `tls`. */
export function tlsIssues({ ca, certificate }: JsonObject, url: string): ChannelIssue[] {
  if (!/^https:/i.test(url)) {
    return [{ path: '', code: 'invalid_value', message: 'must be null unless the URL is https' }];
  }
  const issues = [...pemIssues('/ca', ca), ...pemIssues('/certificate', certificate)];
  if (issues.length > 0 || typeof ca === 'string' || typeof certificate === 'string') return issues;
  return [
    { path: '', code: 'invalid_value', message: 'must have ca, or certificate and private_key, or be null' },
  ];
}

/** The stored form of `tls`: without the private key, with the certificate's expiry. */
export function storedTls({ ca, certificate }: JsonObject): WebhookTls {
  const end = typeof certificate === 'string' ? certificateEnd(certificate) : null;
  return {
    ...(typeof ca === 'string' ? { ca } : {}),
    ...(typeof certificate === 'string' ? { certificate } : {}),
    ...(end === null ? {} : { expires_at: end }),
  };
}

export function presentTls(tls: WebhookTls | undefined): JsonObject | null {
  if (!tls) return null;
  const { ca = null, certificate = null, expires_at = null } = tls;
  const shown = certificate === null ? null : firstCertificate(certificate);
  return { ca, certificate, subject: shown ? shown.subject.replaceAll('\n', ', ') : null, expires_at };
}
