import { createHmac, hkdfSync } from 'node:crypto';
import { withAsciiDomain } from '../email-address.ts';
import { createSecretBox, type SecretBox } from '../secret-box.ts';
import type { JsonObject } from '../storable-json.ts';
import { type BounceTokens, createBounceTokens } from './bounce-tokens.ts';
import { createUnsubscribeLinks, type UnsubscribeLinks } from './unsubscribe-link.ts';

/** The size of the service's key and of the derived keys, in bytes. */
export const SERVICE_KEY_BYTES = 32;

/**
 * Keys derived from the service's generated key
 * (docs/decisions/0042-suppressed-addresses-are-found-by-a-keyed-hash.md).
 */
export interface ServiceKeys {
  /** The key of {@link addressHash}. */
  readonly addressHash: Uint8Array<ArrayBuffer>;
  /** Encrypts the texts of suppressed addresses. */
  readonly addresses: SecretBox;
  /** The key of the hash chain of the audit log. */
  readonly auditChain: Uint8Array;
  readonly links: UnsubscribeLinks;
  readonly bounces: BounceTokens;
}

/** Derives the keys (RFC 5869), each with its own label: knowing one reveals nothing about the others. */
export function deriveServiceKeys(root: Uint8Array): ServiceKeys {
  if (root.length !== SERVICE_KEY_BYTES) throw new TypeError('deriveServiceKeys needs a key of 32 bytes');
  const derive = (name: string) =>
    Buffer.from(hkdfSync('sha256', root, new Uint8Array(0), `postrider ${name}`, SERVICE_KEY_BYTES));
  return {
    addressHash: Uint8Array.from(derive('address hash')),
    addresses: createSecretBox([{ id: 'service', key: derive('address') }]),
    auditChain: derive('audit chain'),
    bounces: createBounceTokens(derive('bounce address')),
    links: createUnsubscribeLinks({ encryption: derive('link encryption'), nonce: derive('link nonce') }),
  };
}

/**
 * The spelling in which suppressed addresses are compared: the domain in ASCII, and letters in lower case, including
 * those of the local part.
 * Mailbox providers treat `Ada@` and `ada@` alike and report bounces in either spelling, and nobody who has
 * unsubscribed should get mail because of a capital letter (docs/specification.md, "Suppressed recipients").
 */
export function suppressedSpelling(address: string): string {
  return withAsciiDomain(address.trim()).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** The block size of SHA-256, in bytes. */
const BLOCK_BYTES = 64;

/**
 * The keyed hash of an address: HMAC-SHA256 of `<environment's UUID>:<address>`, so equal addresses in two
 * environments have different hashes.
 */
export function addressHash(
  key: Uint8Array,
  environmentId: string,
  address: string,
): Uint8Array<ArrayBuffer> {
  const text = `${environmentId}:${suppressedSpelling(address)}`;
  return Uint8Array.from(createHmac('sha256', key).update(text, 'utf8').digest());
}

/**
 * The two key blocks of RFC 2104, `K XOR ipad` and `K XOR opad`. A database with SHA-256 can compute {@link
 * addressHash} from them as `sha256(outer || sha256(inner || text))`.
 * @param key at most 64 bytes
 */
export function hmacBlocks(key: Uint8Array): {
  readonly inner: Uint8Array<ArrayBuffer>;
  readonly outer: Uint8Array<ArrayBuffer>;
} {
  if (key.length > BLOCK_BYTES) throw new TypeError('hmacBlocks needs a key of at most 64 bytes');
  const block = (pad: number) => Uint8Array.from({ length: BLOCK_BYTES }, (_, at) => (key[at] ?? 0) ^ pad);
  return { inner: block(0x36), outer: block(0x5c) };
}

/** The path of unsubscribe links below `PUBLIC_URL`, before the token. */
export const UNSUBSCRIBE_PATH = '/unsubscribe';

/** The parts of a run that its link depends on. Ids are UUIDs. */
interface RunToUnsubscribe {
  readonly environmentId: string;
  readonly runId: string;
  readonly message: {
    /** Null if the message is transactional. */
    readonly stream: string | null;
    readonly recipient: JsonObject;
  };
}

type UnsubscribeUrl =
  | { readonly ok: true; readonly url: string | null }
  /** The run needs a link, but the process has no `PUBLIC_URL`. */
  | { readonly ok: false };

export interface UnsubscribeUrlDeps {
  readonly serviceKeys: { get(): Promise<ServiceKeys> };
  /** Without a final slash. */
  readonly publicUrl: string | null;
}

/**
 * The link with which a run's recipient leaves its stream, always the same for a run. Null if there is none: the
 * message is transactional, or there is no address that can be suppressed.
 * @param field the kind's `suppressibleField`
 */
export async function unsubscribeUrlOf(
  { serviceKeys, publicUrl }: UnsubscribeUrlDeps,
  { environmentId, runId, message }: RunToUnsubscribe,
  field: string | undefined,
): Promise<UnsubscribeUrl> {
  const { stream } = message;
  const address = stream === null || field === undefined ? undefined : message.recipient[field];
  if (stream === null || typeof address !== 'string') return { ok: true, url: null };
  if (publicUrl === null) return { ok: false };
  const keys = await serviceKeys.get();
  const hash = addressHash(keys.addressHash, environmentId, address);
  const token = keys.links.encrypt({ environmentId, runId, addressHash: hash, stream });
  return { ok: true, url: `${publicUrl}${UNSUBSCRIBE_PATH}/${token}` };
}
