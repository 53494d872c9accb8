import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A client without an HTTP library, which may do what no library would. */
interface RawClient {
  readonly socket: Socket;
  /** Resolves with the first chunk that came. */
  readonly answered: Promise<string>;
  /** Resolves when the server has closed the connection, with everything that came. */
  readonly closed: Promise<string>;
}

/** Connects and sends `text`. Does not read what comes when `reads` is false. */
export async function sendRaw(url: string, text: string | Buffer, { reads = true } = {}): Promise<RawClient> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let received = '';
  const answered = new Promise<string>((resolve) => {
    if (!reads) return;
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      resolve(received);
    });
  });
  // A reset is one way in which a server closes.
  socket.on('error', () => undefined);
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(received)));
  await once(socket, 'connect');
  socket.write(text);
  return { socket, answered, closed };
}

/** The status of each response in a stream of them. */
export function statusesOf(stream: string): number[] {
  return [...stream.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** The header lines of the only response in a stream, as lower-case names and values. */
export function headerLinesOf(stream: string): [name: string, value: string][] {
  const [, ...lines] = stream.slice(0, stream.indexOf('\r\n\r\n')).split('\r\n');
  return lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
}

/** The error code of the only response in a stream. */
export function errorCodeOf(stream: string): string {
  const body = stream.slice(stream.indexOf('\r\n\r\n') + 4);
  return (JSON.parse(body) as { error: { code: string } }).error.code;
}
