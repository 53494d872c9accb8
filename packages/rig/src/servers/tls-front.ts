import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';

const fileOf = (name: string) => fileURLToPath(new URL(`../../tls/${name}`, import.meta.url));

/** The file of the fronts' certificate. It is self-signed, so it is also its own authority. */
export const TLS_FRONT_CERTIFICATE: string = fileOf('certificate.pem');

/** The file of the certificate's key. */
export const TLS_FRONT_KEY: string = fileOf('key.pem');

/** A TLS server on this machine. */
export interface TlsFront {
  /** The URL of the server behind it, with the front's address. */
  readonly url: string;
  close(): void;
}

/**
 * Terminates TLS in front of the server with the URL `target`, which has no TLS. `greet` handles what a protocol
 * exchanges before TLS begins.
 */
export async function startTlsFront(
  target: string,
  greet: (socket: Socket) => Promise<void> = async () => undefined,
): Promise<TlsFront> {
  const url = new URL(target);
  const { hostname, port } = url;
  const server = createServer(async (socket) => {
    socket.on('error', () => undefined);
    await greet(socket);
    const secured = new TLSSocket(socket, {
      isServer: true,
      cert: readFileSync(TLS_FRONT_CERTIFICATE),
      key: readFileSync(TLS_FRONT_KEY),
    });
    const upstream = connect(Number(port), hostname);
    secured.on('error', () => undefined).on('close', () => upstream.destroy());
    upstream.on('error', () => undefined).on('close', () => secured.destroy());
    secured.pipe(upstream).pipe(secured);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: url.href, close: () => server.close() };
}
