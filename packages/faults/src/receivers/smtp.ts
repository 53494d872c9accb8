import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { contentOfMail } from './content.ts';
import type { SendLedger, Treat } from './ledger.ts';

/** `<run_…@domain>`: contract section 7. */
const MESSAGE_ID = /^message-id:\s*<(run_[0-9a-z]+)@/im;

type Envelope = SMTPServerSession['envelope'];

export interface SmtpReceiver {
  readonly port: number;
  close(): Promise<void>;
}

async function read(stream: SMTPServerDataStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('latin1');
}

/** Receives mail. A message is noted when it came whole, to its final dot. */
export async function startSmtpReceiver(ledger: SendLedger, treat: Treat): Promise<SmtpReceiver> {
  async function receive(stream: SMTPServerDataStream, envelope: Envelope): Promise<Error | null> {
    const mail = await read(stream);
    const runId = MESSAGE_ID.exec(mail)?.[1] ?? 'without Message-ID';
    const recipients = envelope.rcptTo.map(({ address }) => address);
    const { delayMs, answer } = treat({ runId, path: 'smtp' });
    ledger.note({ runId, kind: 'email', answer, content: contentOfMail(mail, recipients) });
    if (delayMs > 0) await wait(delayMs);
    return answer === 'accepted' ? null : Object.assign(new Error('try again'), { responseCode: 451 });
  }

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, { envelope }, done) {
      receive(stream, envelope).then(done, done);
    },
  });
  // A killed worker's connection breaks: that is the test.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    close: () => new Promise((done) => server.close(() => done())),
  };
}
