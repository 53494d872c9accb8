import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import { monotonicMs } from '../load/clock.ts';
import { referenceIn } from '../load/event-body.ts';
import type { Arrivals } from './arrivals.ts';

async function read(stream: SMTPServerDataStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('latin1');
}

/** Takes every mail, and notes when its data began. Returns the port. */
export async function startSmtpReceiver(arrivals: Arrivals): Promise<number> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, _session, done) {
      const atMs = monotonicMs();
      read(stream).then((mail) => {
        arrivals.note(referenceIn(mail), atMs);
        done();
      }, done);
    },
  });
  // A worker that ends breaks its connections: nothing is wrong then.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return (server.server.address() as AddressInfo).port;
}
