import { monotonicMs } from '@postrider/rig';
import { createTransport } from 'nodemailer';
import { REFERENCE_MARK } from '../load/event-body.ts';

export interface Mails {
  readonly smtpPort: number;
  readonly firstReference: number;
  readonly mails: number;
  /** Connections at once: as many as the worker opens per channel. */
  readonly connections: number;
}

/** Sends prepared mails over a pool of connections and returns mails per second. */
async function run({ smtpPort, firstReference, mails, connections }: Mails): Promise<number> {
  const transport = createTransport({
    host: '127.0.0.1',
    port: smtpPort,
    secure: false,
    ignoreTLS: true,
    pool: true,
    maxConnections: connections,
    maxMessages: Number.POSITIVE_INFINITY,
  });
  const send = (reference: number) =>
    transport.sendMail({
      from: 'shop@example.com',
      to: 'ada@example.com',
      subject: `Your order ${reference}`,
      html: `<p>Thank you, Ada. Your order ${reference} is paid.</p>`,
      text: `Thank you, Ada. "${REFERENCE_MARK}${reference}`,
    });
  const beganAtMs = monotonicMs();
  await Promise.all(Array.from({ length: mails }, (_, index) => send(firstReference + index)));
  const seconds = (monotonicMs() - beganAtMs) / 1_000;
  transport.close();
  return mails / seconds;
}

/** The questions that the mail-only process answers. */
export const handlers = { run };
export type MailsFloor = typeof handlers;
