import { connect, createServer, type Socket } from 'node:net';
import { listenOnLoopback } from '@postrider/rig';

/** The end of every body that the suite sends. After it, the peer's next bytes are the answer to the message. */
export const MARKER = 'end-of-body-4711';

/**
 * What happens to the answer to a message. `drip`: byte by byte. `cut`: the connection ends before it. `half`: the
 * connection ends within it. `endless`: it repeats without end. `hold`: it waits for `release`. `drop`: it never arrives.
 */
export type AnswerFault = 'drip' | 'cut' | 'half' | 'endless' | 'hold' | 'drop';

/** The connection between a sender and its peer. It changes nothing before a body was sent completely. */
export interface Line {
  readonly port: number;
  /** Set before a message. Null: the answer passes. */
  fault: AnswerFault | null;
  /** Called when a body was sent completely. */
  onBody: () => void;
  connections(): number;
  /** The bytes that the sender has got. */
  sentBytes(): number;
  /** Passes the answers on that were held. */
  release(): void;
  close(): Promise<void>;
}

/** Starts a line to a server on 127.0.0.1. */
export async function startLine(peerPort: number): Promise<Line> {
  const sockets = new Set<Socket>();
  const held: (() => void)[] = [];
  let connections = 0;
  let sentBytes = 0;

  function serve(client: Socket): void {
    const peer = connect(peerPort, '127.0.0.1');
    let tail = '';
    let fault: AnswerFault | null = null;
    connections += 1;
    for (const end of [client, peer]) {
      sockets.add(end.setNoDelay(true));
      end.on('error', () => undefined).on('close', () => sockets.delete(end));
    }
    client.on('close', () => peer.destroy());
    peer.on('close', () => {
      if (fault !== 'endless' && fault !== 'drip' && fault !== 'hold') client.destroy();
    });
    const write = (bytes: Buffer): boolean => {
      if (!client.writable) return false;
      sentBytes += bytes.length;
      return client.write(bytes);
    };
    const repeat = (bytes: Buffer) => {
      while (write(bytes));
      if (client.writable) client.once('drain', () => setImmediate(repeat, bytes));
    };
    const drip = async (bytes: Buffer) => {
      for (const byte of bytes) {
        write(Buffer.from([byte]));
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    client.on('data', (chunk) => {
      const seen = tail + chunk.toString('latin1');
      tail = seen.slice(1 - MARKER.length);
      if (seen.includes(MARKER)) {
        fault = line.fault;
        setImmediate(() => line.onBody());
      }
      peer.write(chunk);
    });
    peer.on('data', (chunk) => {
      switch (fault) {
        case null:
          return void write(chunk);
        case 'drop':
          return;
        case 'drip':
          return void drip(chunk);
        case 'cut':
          return void client.destroy();
        case 'half':
          return void client.end(chunk.subarray(0, Math.ceil(chunk.length / 2)));
        case 'endless':
          return repeat(Buffer.concat(Array.from({ length: 100 }, () => chunk)));
        case 'hold':
          held.push(() => write(chunk));
      }
    });
  }

  const server = createServer(serve);
  const { port, close } = await listenOnLoopback(server);
  const line: Line = {
    port,
    fault: null,
    onBody: () => undefined,
    connections: () => connections,
    sentBytes: () => sentBytes,
    release() {
      for (const pass of held.splice(0)) pass();
    },
    async close() {
      const closed = close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return line;
}
