import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { Call } from './case.ts';

const RUN_ID = 'run_1';
const BODY = JSON.stringify({ type: 'order.shipped', data: { name: 'Žofie' } });

interface Key {
  /** What verifies, as a receiver has it. */
  readonly text: string;
  sign(content: string): string;
}

function symmetric(secret: Buffer, prefix = 'whsec_'): Key {
  return {
    text: `${prefix}${secret.toString('base64')}`,
    sign: (content) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`,
  };
}

function asymmetric(): Key {
  const { privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject } =
    generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return {
    text: `whpk_${Buffer.from(x, 'base64url').toString('base64')}`,
    sign: (content) => `v1a,${sign(null, Buffer.from(content), privateKey).toString('base64')}`,
  };
}

const KEYS: Readonly<Record<string, Key>> = {
  current: symmetric(Buffer.alloc(32, 5)),
  old: symmetric(Buffer.alloc(32, 6)),
  empty: symmetric(Buffer.alloc(0)),
  missing: symmetric(Buffer.alloc(0), ''),
  asymmetric: asymmetric(),
};

/** How `tamper` changes a part of a signed request. */
const TAMPERED: Readonly<Record<string, (text: string) => string>> = {
  body: (text) => text.replace('shipped', 'lost'),
  'webhook-id': () => 'run_2',
  'webhook-timestamp': (text) => String(Number(text) + 1),
  'webhook-signature': () => 'v1,%%',
};

interface Verify {
  readonly signed_by: readonly string[];
  readonly keys: readonly string[];
  readonly age_s?: number;
  readonly tamper?: string;
  readonly without?: string;
}

const keyOf = (name: string): Key => {
  const key = KEYS[name];
  if (!key) throw new Error(`a case names the key ${name}, which does not exist`);
  return key;
};

/** A `verify` with a request that is signed now; other calls unchanged. */
export function signed(call: Call): Call {
  if (call.call !== 'verify') return call;
  const { signed_by: signers, keys, age_s: age = 0, tamper, without } = call as unknown as Verify;
  const timestamp = String(Math.floor(Date.now() / 1_000) - age);
  const content = `${RUN_ID}.${timestamp}.${BODY}`;
  const parts: Record<string, string> = {
    body: BODY,
    'webhook-id': RUN_ID,
    'webhook-timestamp': timestamp,
    'webhook-signature': signers.map((name) => keyOf(name).sign(content)).join(' '),
  };
  if (tamper) parts[tamper] = TAMPERED[tamper]?.(parts[tamper] ?? '') ?? '';
  if (without) delete parts[without];
  const { body, ...headers } = parts;
  return { call: 'verify', body, headers, keys: keys.map((name) => keyOf(name).text) };
}
