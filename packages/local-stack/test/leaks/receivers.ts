import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';

async function listen(server: Server): Promise<{ port: number; close: () => Promise<void> }> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

/** A webhook endpoint that answers /ok with 200 and everything else with 500, and shows in it all that it was sent. */
export async function startEcho() {
  const server = createHttpServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.once('end', () => {
      response.writeHead(request.url === '/ok' ? 200 : 500);
      response.end(JSON.stringify(request.headers) + Buffer.concat(chunks).toString());
    });
  });
  return listen(server);
}

/** An SMTP server that takes no credentials and says back whatever it is told. */
export async function startRefusingMail() {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('220 mail.example.com ESMTP\r\n');
    socket.on('data', (chunk) => {
      const line = chunk.toString().trim();
      if (/^EHLO/i.test(line)) socket.write('250-mail.example.com\r\n250 AUTH PLAIN LOGIN\r\n');
      else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
      else socket.write(`535 5.7.8 refused: ${line}\r\n`);
    });
  });
  return listen(server);
}
