import { createCipheriv, createHmac } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';
import { listenOnLoopback } from '@postrider/rig';
import type { Authority } from '@postrider/rig/certificates';

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

/** Makes the connection one of TLS 1.2 that asks `count` times for another handshake, and then sends nothing. */
function askForHandshakes(raw: Socket, secureContext: SecureContext, count: number): void {
  const sent: Buffer[] = [];
  const below = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      sent.push(chunk);
      raw.write(chunk, done);
    },
  });
  raw.on('data', (chunk) => below.push(chunk)).on('error', () => undefined);
  let [clientRandom, master] = [Buffer.alloc(0), Buffer.alloc(0)];
  const session = new TLSSocket(below, { isServer: true, secureContext });
  session
    .on('error', () => undefined)
    .on('keylog', (line: Buffer) => {
      const [, random = '', secret = ''] = line.toString().trim().split(' ');
      [clientRandom, master] = [Buffer.from(random, 'hex'), Buffer.from(secret, 'hex')];
    });
  session.on('secure', () =>
    setImmediate(() => {
      const serverRandom = Buffer.concat(sent).subarray(RANDOM_AT, RANDOM_AT + 32);
      raw.write(helloRequests(keyBlock(master, Buffer.concat([serverRandom, clientRandom])), count));
    }),
  );
}

/** A server on the loopback address that asks this many times for another handshake on each connection. */
export async function startHelloServer(authority: Authority, count: number) {
  const { certificate: cert, privateKey: key } = await authority.issue('server');
  const ciphers = 'ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-GCM-SHA256';
  const context = createSecureContext({ cert, key, maxVersion: 'TLSv1.2', ciphers });
  const open = new Set<Socket>();
  const server = createServer((raw) => {
    open.add(raw);
    askForHandshakes(raw, context, count);
  });
  const { port, close } = await listenOnLoopback(server);
  return {
    port,
    close() {
      for (const socket of open) socket.destroy();
      return close();
    },
  };
}
