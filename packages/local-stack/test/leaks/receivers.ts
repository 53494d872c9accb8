import { createServer } from 'node:net';
import { type Listening, listenOnLoopback, startHttpReceiver } from '@postrider/rig';

/** A webhook endpoint that answers /ok with 200 and everything else with 500, and repeats the request in its answer. */
export const startEcho = (): Promise<Listening> =>
  startHttpReceiver(({ path, headers, body }, response) => {
    response.writeHead(path === '/ok' ? 200 : 500).end(JSON.stringify(headers) + body);
  });

/** An SMTP server that rejects all credentials and repeats every command in its reply. */
export function startRefusingMail(): Promise<Listening> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('220 mail.example.com ESMTP\r\n');
    socket.on('data', (chunk) => {
      const line = chunk.toString().trim();
      if (/^EHLO/i.test(line)) socket.write('250-mail.example.com\r\n250 AUTH PLAIN LOGIN\r\n');
      else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
      else socket.write(`535 5.7.8 refused: ${line}\r\n`);
    });
  });
  return listenOnLoopback(server);
}
