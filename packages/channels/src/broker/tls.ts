import type { ChannelIssue, ChannelRule, JsonObject } from '@postrider/domain';
import type { WantedCredential } from '../bound-credentials.ts';
import { type JsonSchema, nullable, text } from '../schema.ts';
import { certificateEnd, MAX_PEM_LENGTH, pemIssues, privateKeyIssues } from '../webhook/tls.ts';

/** The certificates of a TLS connection to a server. The private key is a credential. */
export type Certificates = {
  ca?: string;
  certificate?: string;
  /** Read from the certificate, so that a query can find certificates that expire. ISO 8601. */
  certificate_expires_at?: string;
};

/** The fields of a stored config that a connection to a broker by TLS needs. */
export type BrokerTls = Certificates & { tls: boolean };

/** The name of the credential for the key of `certificate`. */
export const PRIVATE_KEY = 'private_key';

const pem = (description: string): JsonSchema => ({
  type: ['string', 'null'],
  minLength: 1,
  maxLength: MAX_PEM_LENGTH,
  default: null,
  description,
});

/** The fields of a config in a request. `certificate_expires_at` is accepted so that a presented config can be sent back. */
export const CERTIFICATE_FIELDS: Readonly<Record<string, JsonSchema>> = {
  ca: pem(
    "Certificates (PEM) of the authorities that the server's certificate must come from; they replace the public ones.",
  ),
  certificate: pem('The client certificate (PEM), with its chain, for servers that ask for one.'),
  private_key: {
    ...pem(
      'Its private key (PEM), without a passphrase. Stored encrypted and never shown; must be given with each new certificate.',
    ),
    writeOnly: true,
  },
  certificate_expires_at: { type: ['string', 'null'], description: 'Ignored.' },
};

export const PRESENTED_CERTIFICATES: Readonly<Record<string, JsonSchema>> = {
  ca: nullable(text('Certificates of the authorities, in PEM.')),
  certificate: nullable(text('The client certificate, in PEM.')),
  certificate_expires_at: nullable(text('When the certificate expires.')),
};

function withoutTlsIssues(given: Readonly<Record<string, unknown>>): ChannelIssue[] {
  return Object.entries(given)
    .filter(([, value]) => value)
    .map(([name]) => ({ path: `/${name}`, code: 'invalid_value', message: 'must be null without TLS' }));
}

/** `ca` and `certificate` must be certificates in PEM. */
export const CERTIFICATES_RULE: ChannelRule<Partial<Certificates>> = {
  reads: ['/ca', '/certificate'],
  issuesOf: ({ ca, certificate }) => [...pemIssues('/ca', ca), ...pemIssues('/certificate', certificate)],
};

/** `ca` and `certificate` must be certificates in PEM, and are only allowed with TLS. A key needs its certificate. */
export const BROKER_TLS_RULE: ChannelRule<Partial<BrokerTls> & { private_key?: string | null }> = {
  reads: ['/ca', '/certificate', '/private_key', '/tls'],
  issuesOf({ ca, certificate, private_key, tls = true }) {
    if (!tls) return withoutTlsIssues({ ca, certificate, private_key });
    const issues = CERTIFICATES_RULE.issuesOf({ ca, certificate });
    if (!private_key || certificate) return issues;
    return [...issues, { path: '/certificate', code: 'required', message: 'is required with a private key' }];
  },
};

/** The stored form of these fields, without the private key. */
export function storedCertificates({ ca, certificate }: JsonObject): Certificates {
  const end = typeof certificate === 'string' ? certificateEnd(certificate) : null;
  return {
    ...(typeof ca === 'string' ? { ca } : {}),
    ...(typeof certificate === 'string' ? { certificate } : {}),
    ...(end === null ? {} : { certificate_expires_at: end }),
  };
}

export const storedBrokerTls = (config: JsonObject): BrokerTls => ({
  tls: config.tls !== false,
  ...storedCertificates(config),
});

export function presentCertificates({
  ca = null,
  certificate = null,
  certificate_expires_at = null,
}: Partial<Record<keyof Certificates, unknown>>): JsonObject {
  return { ca, certificate, certificate_expires_at } as JsonObject;
}

export const presentBrokerTls = (config: Partial<Record<keyof BrokerTls, unknown>>): JsonObject =>
  ({ tls: config.tls, ...presentCertificates(config) }) as JsonObject;

/** The key of the client certificate, which a config with one requires. */
export function wantedKey({ certificate }: BrokerTls): WantedCredential[] {
  if (certificate === undefined) return [];
  return [
    {
      name: PRIVATE_KEY,
      at: [PRIVATE_KEY],
      boundTo: certificate,
      label: 'private key',
      issuesOf: (key) => privateKeyIssues(key, certificate),
    },
  ];
}

/** The options of a TLS socket: the authorities for the broker's certificate, and the client certificate. */
export interface TlsIdentity {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** Null if the key of the certificate is missing. */
export function tlsIdentityOf(
  { ca, certificate }: Certificates,
  { private_key: key }: Readonly<Record<string, string>>,
): TlsIdentity | null {
  if (certificate !== undefined && key === undefined) return null;
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(certificate === undefined || key === undefined ? {} : { cert: certificate, key }),
  };
}
