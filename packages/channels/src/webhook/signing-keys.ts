import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { LRUCache } from '@postrider/domain';

/**
 * Keys of asymmetric signatures (`v1a`, Standard Webhooks 1.0): the endpoint verifies them with a public key and cannot
 * create signatures itself. A key is stored as the base64url of its 32 bytes (RFC 8032 section 5.1.5).
 */

/** Generates an ed25519 key. */
export function createSigningKey(): string {
  const { d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return String(d);
}

/** The PKCS #8 prefix of an ed25519 key, before its 32 bytes (RFC 8410 section 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Cache of parsed keys: parsing one takes as long as signing. */
const parsed = new LRUCache<string, KeyObject>({ max: 1_000 });

function privateKey(key: string): KeyObject {
  const known = parsed.get(key);
  if (known) return known;
  const der = Buffer.concat([PKCS8_PREFIX, Buffer.from(key, 'base64url')]);
  const made = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  parsed.set(key, made);
  return made;
}

/** The `v1a,…` signatures of `id.timestamp.body`, one for each key, separated by spaces. */
export function signAsymmetrically(keys: readonly string[], signed: string): string {
  const bytes = Buffer.from(signed, 'utf8');
  return keys.map((key) => `v1a,${sign(null, bytes, privateKey(key)).toString('base64')}`).join(' ');
}

/** The public key as a JWK (RFC 8037 section 2) without an id. */
export function publicJwk(key: string): { readonly kty: 'OKP'; readonly crv: 'Ed25519'; readonly x: string } {
  const { x } = createPublicKey(privateKey(key)).export({ format: 'jwk' });
  return { kty: 'OKP', crv: 'Ed25519', x: String(x) };
}
