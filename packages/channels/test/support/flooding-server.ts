import { createServer, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { createSecureContext, type SecureContext, type SecureContextOptions, TLSSocket } from 'node:tls';
import { listenOnLoopback } from '@postrider/rig';
import type { Authority } from '@postrider/rig/certificates';

/** What is known of a connection when its handshake ends. */
interface Session {
  /** All that the server has sent. */
  readonly sent: Buffer;
  /** The client's random number and a secret, by its name in the log of keys (RFC 9850). Throws if there is none. */
  readonly keyOf: (name: string) => { readonly clientRandom: Buffer; readonly secret: Buffer };
}

/** Sends the records that `floodOf` makes after the handshake, and then nothing. */
function flood(raw: Socket, secureContext: SecureContext, floodOf: (session: Session) => Buffer): void {
  const sent: Buffer[] = [];
  const below = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      sent.push(chunk);
      raw.write(chunk, done);
    },
  });
  raw.on('data', (chunk) => below.push(chunk)).on('error', () => undefined);
  const keys = new Map<string, ReturnType<Session['keyOf']>>();
  function keyOf(name: string): ReturnType<Session['keyOf']> {
    const key = keys.get(name);
    if (!key) throw new Error(`the handshake has no key ${name}`);
    return key;
  }
  const session = new TLSSocket(below, { isServer: true, secureContext });
  session
    .on('error', () => undefined)
    .on('keylog', (line: Buffer) => {
      const [name = '', random = '', secret = ''] = line.toString().trim().split(' ');
      keys.set(name, { clientRandom: Buffer.from(random, 'hex'), secret: Buffer.from(secret, 'hex') });
    });
  // The server's own session tickets are written in the same turn as the end of the handshake.
  session.on('secure', () => setImmediate(() => raw.write(floodOf({ sent: Buffer.concat(sent), keyOf }))));
}

/**
 * A TLS server on the loopback address that sends the records of `floodOf` on each connection: records that Node.js cannot be made to
 * send.
 */
export async function startFloodingServer(
  authority: Authority,
  options: SecureContextOptions,
  floodOf: (session: Session) => Buffer,
) {
  const { certificate: cert, privateKey: key } = await authority.issue('server');
  const context = createSecureContext({ cert, key, ...options });
  const open = new Set<Socket>();
  const server = createServer((raw) => {
    open.add(raw);
    flood(raw, context, floodOf);
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
