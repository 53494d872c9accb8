import { createHash, createHmac } from 'node:crypto';
import type { ReceivedRequest } from '@postrider/rig';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AwsCredentials } from '../../src/http/aws-signature.ts';

class Sha256 {
  readonly #hash;
  constructor(secret?: string | Uint8Array | ArrayBuffer) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as Uint8Array);
  }
  update(data: string | Uint8Array) {
    this.#hash.update(data);
  }
  async digest() {
    return new Uint8Array(this.#hash.digest());
  }
  reset() {
    throw new Error('the signer makes a new hash for every digest');
  }
}

/** The credentials of the examples in AWS's documentation, in the region of the tests. */
export const AWS = {
  region: 'eu-central-1',
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};

/** Whether a request to a service has the signature that AWS's own library makes for it. */
export async function isSignedForAws(
  { headers, method, path, body }: ReceivedRequest,
  service: string,
  credentials: AwsCredentials = AWS,
): Promise<boolean> {
  const names = /SignedHeaders=([^,]+)/.exec(String(headers.authorization))?.[1]?.split(';') ?? [];
  const signer = new SignatureV4({
    service,
    region: AWS.region,
    credentials: { accessKeyId: credentials.accessKeyId, secretAccessKey: credentials.secretAccessKey },
    sha256: Sha256 as never,
    applyChecksum: false,
  });
  const date = String(headers['x-amz-date']).replace(
    /^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\d)Z$/,
    '$1-$2-$3:$4:$5Z',
  );
  const signed = await signer.sign(
    {
      method,
      protocol: 'http:',
      hostname: String(headers.host),
      path,
      headers: Object.fromEntries(names.map((name) => [name, String(headers[name])])),
      body,
    },
    { signingDate: new Date(date) },
  );
  const written = (value: string | undefined) => value?.replaceAll(', ', ',');
  return (
    (credentials.sessionToken === undefined ||
      headers['x-amz-security-token'] === credentials.sessionToken) &&
    written(headers.authorization) === written(signed.headers.authorization)
  );
}
