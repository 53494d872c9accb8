import { createCipheriv, createHmac } from 'node:crypto';
import type { Authority } from '@postrider/rig/certificates';
import { startFloodingServer } from './flooding-server.ts';

/** The content type of a record of the handshake, and TLS 1.2 (RFC 5246 section 6.2.1). */
const HANDSHAKE = [22, 3, 3];
/** A HelloRequest (RFC 5246 section 7.4.1.1). */
const HELLO_REQUEST_BYTES = 4;
/** Where the random number is in a ServerHello: after the heads of the record and of the message, and the version. */
const RANDOM_AT = 11;

/** P_SHA256 of RFC 5246 section 5, for 40 bytes: the keys and nonces of AES-128-GCM. */
function keyBlock(master: Buffer, seed: Buffer): Buffer {
  const hmac = (data: Buffer) => createHmac('sha256', master).update(data).digest();
  const labelled = Buffer.concat([Buffer.from('key expansion'), seed]);
  const first = hmac(labelled);
  const blocks = [first, hmac(first)].map((block) => hmac(Buffer.concat([block, labelled])));
  return Buffer.concat(blocks).subarray(0, 40);
}

/** A record with `count` requests, the second one that the server sends with its key. */
function helloRequests(keys: Buffer, count: number): Buffer {
  const content = Buffer.alloc(HELLO_REQUEST_BYTES * count);
  const sequence = Buffer.alloc(8);
  sequence.writeUInt8(1, 7);
  const headOf = (length: number) => Buffer.from([...HANDSHAKE, length >> 8, length & 0xff]);
  const nonce = Buffer.concat([keys.subarray(36, 40), sequence]);
  const cipher = createCipheriv('aes-128-gcm', keys.subarray(16, 32), nonce);
  cipher.setAAD(Buffer.concat([sequence, headOf(content.length)]));
  const sealed = Buffer.concat([sequence, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
  return Buffer.concat([headOf(sealed.length), sealed]);
}

/** A server on the loopback address that asks this many times for another handshake of TLS 1.2 on each connection. */
export function startHelloServer(authority: Authority, count: number) {
  const ciphers = 'ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-GCM-SHA256';
  return startFloodingServer(authority, { maxVersion: 'TLSv1.2', ciphers }, ({ sent, keyOf }) => {
    const { clientRandom, secret } = keyOf('CLIENT_RANDOM');
    const serverRandom = sent.subarray(RANDOM_AT, RANDOM_AT + 32);
    return helloRequests(keyBlock(secret, Buffer.concat([serverRandom, clientRandom])), count);
  });
}
