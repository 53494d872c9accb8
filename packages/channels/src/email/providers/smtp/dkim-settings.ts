import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { ChannelIssue } from '@postrider/domain';
import { MAX_HOST_LENGTH } from '../../../host.ts';
import { type JsonSchema, PATTERNS, secretText } from '../../../schema.ts';
import { checked, removableOption, type Setting, settingGroup } from '../../../settings.ts';
import type { DkimKey } from './dkim.ts';

/** Where the public keys of a channel's signatures are. The private keys are stored separately. */
export type DkimSettings = { domain: string; selector: string; ed25519?: { selector: string } };

/** The settings field with the RSA key. */
const RSA_KEY_FIELD = 'dkim/private_key';
/** The settings field with the Ed25519 key. */
const ED25519_KEY_FIELD = 'dkim/ed25519/private_key';
/** In PEM; a key of 4,096 bits has 3,300 characters. */
const MAX_KEY_LENGTH = 8_192;
/** RFC 8301 section 3.2: signers use at least 1,024 bits, and verifiers take up to 4,096. */
const KEY_BITS = { least: 1_024, most: 4_096 };

const dnsName = (description: string): JsonSchema => ({
  type: 'string',
  pattern: PATTERNS.dkimName.pattern,
  maxLength: MAX_HOST_LENGTH,
  description,
});

function rsaIssue({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): string | null {
  if (type !== 'rsa') return `must be an RSA key: this one is ${type}`;
  const bits = details?.modulusLength ?? 0;
  if (bits < KEY_BITS.least) return `must have at least ${KEY_BITS.least} bits: receivers refuse ${bits}`;
  if (bits > KEY_BITS.most) return `must have at most ${KEY_BITS.most} bits: many receivers refuse ${bits}`;
  return null;
}

const ed25519Issue = ({ asymmetricKeyType: type }: KeyObject): string | null =>
  type === 'ed25519' ? null : `must be an Ed25519 key: this one is ${type}`;

/** A private key. @param required the setting that it belongs to */
const privateKey = (
  { name, description, required }: Readonly<Record<'name' | 'description' | 'required', string>>,
  flags: string,
  issueOf: (key: KeyObject) => string | null,
): Setting => ({
  schema: secretText(`${description} in PEM. Stored encrypted and never shown; kept if left out.`, {
    maxLength: MAX_KEY_LENGTH,
    isNullable: false,
  }),
  credential: {
    label: 'key',
    required,
    sentBy: [],
    issuesOf: (pem) =>
      checked((text) => {
        try {
          return issueOf(createPrivateKey(text));
        } catch {
          return `must be an ${name} private key in PEM without a passphrase, from -----BEGIN to -----END`;
        }
      })('', pem),
  },
  option: { flags, description: `the ${name} private key in PEM; - is stdin`, isFile: true },
});

export const DKIM_SETTING: Setting = settingGroup(
  'Signs mail (DKIM, RFC 6376), for a server that does not do so itself.',
  'How mail is signed.',
  {
    domain: {
      isRequired: true,
      schema: dnsName('For DMARC it must be the domain of `From`, or a parent of it.'),
      shown: 'Of the signatures.',
      storedOf: (domain) => String(domain).toLowerCase(),
      option: removableOption('--dkim-domain <domain>', 'the domain that mail is signed for', 'not signed'),
    },
    selector: {
      isRequired: true,
      schema: dnsName('The public key is at `<selector>._domainkey.<domain>` in the DNS.'),
      shown: 'Of the key.',
      option: { flags: '--dkim-selector <name>', description: 'where the DNS has the public key' },
    },
    private_key: privateKey(
      { name: 'RSA', description: 'An RSA key of 1,024 to 4,096 bits', required: 'dkim' },
      '--dkim-key-file <path>',
      rsaIssue,
    ),
    ed25519: settingGroup(
      'A second signature (RFC 8463), for receivers that verify it. Others verify the one of the RSA key.',
      'The second signature.',
      {
        selector: {
          isRequired: true,
          schema: dnsName('The selector of this key; it must differ from that of the RSA key.'),
          shown: 'Of the key.',
          option: removableOption(
            '--dkim-ed25519-selector <name>',
            'where the DNS has the public key of a second signature',
            'one signature',
          ),
        },
        private_key: privateKey(
          { name: 'Ed25519', description: 'An Ed25519 key', required: 'dkim/ed25519' },
          '--dkim-ed25519-key-file <path>',
          ed25519Issue,
        ),
      },
    ),
  },
);

/** Two keys at one name of the DNS would make verifiers choose the wrong one. */
export function dkimIssues(dkim: DkimSettings | null | undefined): ChannelIssue[] {
  if (!dkim?.ed25519 || dkim.ed25519.selector.toLowerCase() !== dkim.selector.toLowerCase()) return [];
  const message = 'must not be the selector of the RSA key';
  return [{ path: '/dkim/ed25519/selector', code: 'invalid_value', message }];
}

/**
 * The keys that sign an account's mail, none if the settings name none. Returns null if one is missing.
 * @param credentials the account's, by field name
 */
export function dkimKeys(
  { dkim }: { readonly dkim?: DkimSettings },
  credentials: Readonly<Record<string, string>>,
): readonly DkimKey[] | null {
  if (!dkim) return [];
  const named = [
    { algorithm: 'rsa-sha256' as const, field: RSA_KEY_FIELD, selector: dkim.selector },
    ...(dkim.ed25519
      ? [{ algorithm: 'ed25519-sha256' as const, field: ED25519_KEY_FIELD, ...dkim.ed25519 }]
      : []),
  ];
  const keys: DkimKey[] = [];
  for (const { algorithm, field, selector } of named) {
    const privateKey = credentials[field];
    if (privateKey === undefined) return null;
    keys.push({ algorithm, domain: dkim.domain, selector, privateKey });
  }
  return keys;
}
