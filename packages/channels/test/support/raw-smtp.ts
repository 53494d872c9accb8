import { type AddressInfo, createServer, type Socket } from 'node:net';

/** Where the server leaves the conversation, without a word. */
export type Break = 'connect' | 'ehlo' | 'mail' | 'rcpt' | 'data' | 'message' | 'final-dot';

export interface BreakingServer {
  readonly port: number;
  /** Whole messages, final dot included, that came in. */
  readonly messages: string[];
  dropConnections(): void;
  close(): Promise<void>;
}

interface BreakingOptions {
  readonly times?: number;
  readonly how?: 'destroy' | 'hang' | 'babble' | 'blank' | 'refuse';
  /** Hears when the server leaves a conversation. */
  readonly onLeave?: () => void;
  /** The reply to a message that it takes. */
  readonly taken?: string;
  /** The reply to each recipient. */
  readonly toRecipient?: string;
  /** Whether it offers that commands come together (RFC 2920). */
  readonly pipelining?: boolean;
}

/**
 * An SMTP server on loopback that at one point destroys the connection, neglects it (`how` is hang), sends 100,000 bytes
 * of a reply that never ends (babble) or as many blank lines (blank), or refuses and closes it (refuse).
 * After `times` of them it serves to the end.
 */
export async function startBreakingServer(
  at: Break,
  {
    times = Number.POSITIVE_INFINITY,
    how = 'destroy',
    onLeave = () => undefined,
    taken = '250 taken',
    toRecipient = '250 fine',
    pipelining = true,
  }: BreakingOptions = {},
): Promise<BreakingServer> {
  const replies: readonly [RegExp, Break, string][] = [
    [/^(EHLO|HELO)/i, 'ehlo', `250-breaking.example\r\n250 ${pipelining ? 'PIPELINING' : 'HELP'}`],
    [/^MAIL/i, 'mail', '250 fine'],
    [/^RCPT/i, 'rcpt', toRecipient],
    [/^DATA/i, 'data', '354 go on'],
  ];
  const messages: string[] = [];
  const sockets = new Set<Socket>();
  let breaks = 0;

  function leaves(socket: Socket, here: Break): boolean {
    if (here !== at || breaks >= times) return false;
    breaks += 1;
    if (how === 'destroy') socket.destroy();
    if (how === 'refuse') socket.end('550 5.1.1 no such user\r\n');
    if (how === 'babble') socket.write('250-and\r\n'.repeat(11_112));
    if (how === 'blank') socket.write(' \r\n'.repeat(33_334));
    onLeave();
    return true;
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let pending = '';
    let inMessage = false;
    let left = leaves(socket, 'connect');
    if (left) return;
    socket.write('220 breaking.example ESMTP\r\n');

    function onMessage(): void {
      if (leaves(socket, 'message')) {
        left = true;
        return;
      }
      const end = pending.indexOf('\r\n.\r\n');
      if (end < 0) return;
      messages.push(pending.slice(0, end));
      pending = pending.slice(end + 5);
      inMessage = false;
      left = leaves(socket, 'final-dot');
      if (!left) socket.write(`${taken}\r\n`);
    }

    function onLine(line: string): void {
      if (/^QUIT/i.test(line)) return void socket.end('221 bye\r\n');
      const [, here, reply] = replies.find(([verb]) => verb.test(line)) ?? [];
      left = here !== undefined && leaves(socket, here);
      if (left) return;
      inMessage = here === 'data';
      socket.write(`${reply ?? '250 fine'}\r\n`);
    }

    socket.on('data', (chunk) => {
      pending += chunk.toString('utf8');
      while (!left && !inMessage && pending.includes('\r\n')) {
        const end = pending.indexOf('\r\n');
        const line = pending.slice(0, end);
        pending = pending.slice(end + 2);
        onLine(line);
      }
      if (!left && inMessage && pending !== '') onMessage();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const dropConnections = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };

  return {
    port: (server.address() as AddressInfo).port,
    messages,
    dropConnections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        dropConnections();
      }),
  };
}
