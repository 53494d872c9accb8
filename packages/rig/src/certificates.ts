import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

x509.cryptoProvider.set(webcrypto as unknown as Parameters<typeof x509.cryptoProvider.set>[0]);

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

/** A certificate and its private key, in PEM. */
interface Identity {
  readonly certificate: string;
  readonly privateKey: string;
}

/** An authority that signs certificates for tests. */
export interface Authority {
  readonly certificate: string;
  /** A certificate for 127.0.0.1 and clients, which expires after this many days. */
  issue(name: string, days?: number): Promise<Identity>;
}

const pemOf = async (keys: webcrypto.CryptoKeyPair) =>
  x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY');
const newKeys = () =>
  webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']) as Promise<webcrypto.CryptoKeyPair>;
const serial = () =>
  Buffer.from(webcrypto.getRandomValues(new Uint8Array(8)))
    .toString('hex')
    .replace(/^./, '1');

/** Creates an authority of its own. */
export async function createAuthority(name: string): Promise<Authority> {
  const keys = await newKeys();
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serial(),
    name: `CN=${name}`,
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + 365 * DAY_MS),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 1, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
    ],
  });
  return {
    certificate: root.toString('pem'),
    async issue(subject, days = 30) {
      const own = await newKeys();
      const issued = await x509.X509CertificateGenerator.create({
        serialNumber: serial(),
        subject: `CN=${subject}`,
        issuer: root.subject,
        notBefore: new Date(Date.now() - 2 * DAY_MS),
        notAfter: new Date(Date.now() + days * DAY_MS),
        signingAlgorithm: ALGORITHM,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        extensions: [
          new x509.SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }]),
          new x509.ExtendedKeyUsageExtension([
            x509.ExtendedKeyUsage.serverAuth,
            x509.ExtendedKeyUsage.clientAuth,
          ]),
        ],
      });
      return { certificate: issued.toString('pem'), privateKey: await pemOf(own) };
    },
  };
}
