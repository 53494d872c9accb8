import { generateKeyPairSync } from 'node:crypto';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';

/** A key to sign with, and what the DNS has of it. */
export function rsaKey(modulusLength: number) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength });
  return {
    pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    record: `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`,
  };
}

/** An Ed25519 key to sign with, and what the DNS has of it: the key alone (RFC 8463 section 4). */
export function ed25519Key() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return {
    pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    record: `v=DKIM1; k=ed25519; p=${Buffer.from(x, 'base64url').toString('base64')}`,
  };
}

/** What an independent verifier says of a mail, by a DNS that has this record at every name, or these at theirs. */
export async function verifyDkim(raw: string, record: string | Readonly<Record<string, string>>) {
  const asked: string[] = [];
  const { results } = await dkimVerify(Buffer.from(raw, 'latin1'), {
    resolver: async (name: string, type: string) => {
      asked.push(`${type} ${name}`);
      return [[typeof record === 'string' ? record : (record[name] ?? '')]];
    },
  });
  return { results, asked };
}

/** The fields that the signature of a mail covers, in lower case. */
export function coveredBy(raw: string): string[] {
  const [, header = ''] = /^DKIM-Signature:((?:.*\r?\n(?=[ \t]))*.*)$/im.exec(raw) ?? [];
  const [, fields = ''] = /;\s*h=([^;]*)/.exec(header) ?? [];
  return fields.toLowerCase().replace(/\s/g, '').split(':');
}
