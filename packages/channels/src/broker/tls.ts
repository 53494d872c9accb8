import type { ChannelIssue, ChannelRule } from '@postrider/domain';
import type { WantedCredential } from '../bound-credentials.ts';
import { optionalText } from '../schema.ts';
import type { Settings } from '../settings.ts';
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

const pem = (description: string) => optionalText(MAX_PEM_LENGTH, description);

/** `certificate_expires_at` is accepted in requests so that a presented config can be sent back. */
export const CERTIFICATE_SETTINGS = {
  ca: {
    schema: pem(
      "Certificates (PEM) of the authorities that the server's certificate must come from; they replace the public ones.",
    ),
    shown: 'Certificates of the authorities, in PEM.',
  },
  certificate: {
    schema: pem('The client certificate (PEM), with its chain, for servers that ask for one.'),
    shown: 'The client certificate, in PEM.',
  },
  private_key: {
    schema: {
      ...pem(
        'Its private key (PEM), without a passphrase. Stored encrypted and never shown; must be given with each new certificate.',
      ),
      writeOnly: true,
    },
  },
  certificate_expires_at: {
    schema: { type: ['string', 'null'], description: 'Ignored.' },
    shown: 'When the certificate expires.',
    storedOf: (_, { certificate }) =>
      typeof certificate === 'string' ? (certificateEnd(certificate) ?? undefined) : undefined,
  },
} as const satisfies Settings;

/** @param broker what the channel connects to, such as `a broker`; @param shown the description of `tls` in a response */
export const brokerTlsSettings = (broker: string, description: string, shown: string) => ({
  tls: {
    schema: { type: 'boolean', default: true, description },
    shown,
    storesDefault: true,
    option: { flags: '--no-tls', description: `without TLS, for ${broker} on this machine` },
  },
  ...CERTIFICATE_SETTINGS,
});

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
