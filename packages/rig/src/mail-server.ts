import { simpleParser } from 'mailparser';
import { type SmtpReceiver, startSmtpReceiver } from './smtp-receiver.ts';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly messageId: string | null;
  readonly subject: string | null;
  readonly html: string | null;
  readonly text: string | null;
  /** Parsed, by their names in lower case; those that begin with `List-` are together under `list`. */
  readonly headers: ReadonlyMap<string, unknown>;
  readonly raw: string;
}

export interface MailServer extends SmtpReceiver {
  readonly mails: ReceivedMail[];
  /** Answers no message any more until the returned function is called. */
  hold(): () => void;
}

/** An SMTP server on 127.0.0.1 that keeps and parses what it gets. The password of its user is `open`. */
export async function startMailServer({ auth = false }: { auth?: boolean } = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let held: Promise<void> = Promise.resolve();
  const receiver = await startSmtpReceiver(
    async ({ from, to, raw }) => {
      const { messageId = null, subject = null, html, text = null, headers } = await simpleParser(raw);
      mails.push({ from, to, messageId, subject, html: html || null, text, headers, raw: raw.toString() });
      await held;
      return undefined;
    },
    auth ? { password: 'open' } : {},
  );
  return {
    ...receiver,
    mails,
    hold() {
      let answer = (): void => undefined;
      held = new Promise((resolve) => {
        answer = resolve;
      });
      return answer;
    },
  };
}
