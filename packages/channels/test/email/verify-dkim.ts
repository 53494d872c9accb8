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

/** What an independent verifier says of a mail, by a DNS that has this record alone. */
export async function verifyDkim(raw: string, record: string) {
  const asked: string[] = [];
  const { results } = await dkimVerify(Buffer.from(raw, 'latin1'), {
    resolver: async (name: string, type: string) => {
      asked.push(`${type} ${name}`);
      return [[record]];
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
