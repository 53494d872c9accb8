import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** How a user logs in to a broker. */
export type SaslMechanism = 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512';

/** The server's messages are invalid, or it could not prove that it knows the password. */
export class SaslError extends Error {
  override readonly name = 'SaslError';
}

/** Sends a message of the client and resolves with the server's; rejects when the server refuses. */
type SaslExchange = (message: Buffer) => Promise<Buffer>;

/** Kafka uses 4,096 to 16,384. With more, each failed login would occupy one of the process's four threads for long. */
const ITERATIONS = { min: 4_096, max: 32_768 };
const MAX_SALT_BYTES = 1_024;
/** No channel binding, like Kafka. */
const GS2_HEADER = 'n,,';

const derive = promisify(pbkdf2);

/** The values of a SCRAM message (`name=value,…`) by their names. */
function attributesOf(message: Buffer): ReadonlyMap<string, string> {
  return new Map(
    message
      .toString('utf8')
      .split(',')
      .map((attribute) => [attribute.slice(0, 1), attribute.slice(2)]),
  );
}

function xor(one: Buffer, other: Buffer): Buffer {
  return Buffer.from(one.map((octet, index) => octet ^ (other[index] ?? 0)));
}

/** SCRAM (RFC 5802). The password is not normalised, like in Kafka's own client. */
async function authenticateByScram(
  algorithm: 'sha256' | 'sha512',
  { username, password }: { readonly username: string; readonly password: string },
  exchange: SaslExchange,
): Promise<void> {
  const nonce = randomBytes(18).toString('base64url');
  const name = username.replaceAll('=', '=3D').replaceAll(',', '=2C');
  const first = `n=${name},r=${nonce}`;
  const challenge = await exchange(Buffer.from(`${GS2_HEADER}${first}`));
  const asked = attributesOf(challenge);
  const [serverNonce = '', iterations] = [asked.get('r'), Number(asked.get('i'))];
  const salt = Buffer.from(asked.get('s') ?? '', 'base64');
  const isValid =
    serverNonce.startsWith(nonce) &&
    serverNonce.length > nonce.length &&
    Number.isInteger(iterations) &&
    iterations >= ITERATIONS.min &&
    iterations <= ITERATIONS.max &&
    salt.length > 0 &&
    salt.length <= MAX_SALT_BYTES;
  if (!isValid) throw new SaslError('the challenge of the server is invalid');

  const hmac = (key: Buffer, text: string) => createHmac(algorithm, key).update(text).digest();
  const size = algorithm === 'sha256' ? 32 : 64;
  const salted = await derive(password, salt, iterations, size, algorithm);
  const clientKey = hmac(salted, 'Client Key');
  const withoutProof = `c=${Buffer.from(GS2_HEADER).toString('base64')},r=${serverNonce}`;
  const whole = `${first},${challenge.toString('utf8')},${withoutProof}`;
  const signature = hmac(createHash(algorithm).update(clientKey).digest(), whole);
  const proof = xor(clientKey, signature).toString('base64');
  const final = attributesOf(await exchange(Buffer.from(`${withoutProof},p=${proof}`)));
  const shown = Buffer.from(final.get('v') ?? '', 'base64');
  const expected = hmac(hmac(salted, 'Server Key'), whole);
  if (shown.length !== expected.length || !timingSafeEqual(shown, expected)) {
    throw new SaslError('the server could not prove that it knows the password');
  }
}

/** Authenticates with a mechanism. Rejects with the error of `exchange`, or with a {@link SaslError}. */
export async function authenticate(
  mechanism: SaslMechanism,
  credentials: { readonly username: string; readonly password: string },
  exchange: SaslExchange,
): Promise<void> {
  const { username, password } = credentials;
  if (mechanism === 'PLAIN') await exchange(Buffer.from(`\0${username}\0${password}`));
  else {
    await authenticateByScram(mechanism === 'SCRAM-SHA-256' ? 'sha256' : 'sha512', credentials, exchange);
  }
}
