import { startSmtpReceiver } from '@postrider/rig';
import { simpleParser } from 'mailparser';
import type { EmailContent } from '../../src/email/index.ts';
import { createEmailChannel, emailDelivery } from '../support/delivery.ts';
import { describeSender, type Peer } from './suite.ts';

const PASSWORD = 'smtp-secret-4711';

async function startPeer(): Promise<Peer> {
  const bodies: string[] = [];
  const receiver = await startSmtpReceiver(
    async ({ raw }) => {
      const { text } = await simpleParser(raw);
      bodies.push((text ?? '').trim());
      return undefined;
    },
    { password: PASSWORD },
  );
  return {
    port: receiver.port,
    received: () => bodies,
    refuse: (how) => receiver.fail('end', how === 'for now' ? 451 : 554),
    close: receiver.close,
  };
}

describeSender<EmailContent>({
  name: 'mails by SMTP',
  codes: /^smtp_/,
  credential: PASSWORD,
  startPeer,
  createSender: createEmailChannel,
  delivery(port, body, { credential, ...details }) {
    return emailDelivery(
      { port, username: 'shop' },
      { content: { text: body, html: '' }, credentials: { 'senders/smtp/password': credential }, ...details },
    );
  },
});
