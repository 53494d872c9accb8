import { setTimeout as wait } from 'node:timers/promises';
import { type Listening, type SmtpReceiver, startHttpReceiver, startSmtpReceiver } from '@postrider/rig';
import type { ReceivedSend, SendContent } from '../ledgers.ts';

/** How a receiver handles a send. */
export interface Treatment {
  /** Milliseconds until the answer. */
  readonly delayMs: number;
  readonly answer: ReceivedSend['answer'];
}

/** Chooses the treatment of each send. `path` identifies the endpoint, and is `smtp` for mail. */
export type Treat = (send: { runId: string; path: string }) => Treatment;

/** Collects the arrivals of all receivers. */
export interface SendLedger {
  /** Records the arrival at once, so that a send counts even if it never gets an answer. */
  note(send: Omit<ReceivedSend, 'at'>): void;
  readonly sends: readonly ReceivedSend[];
}

export function createSendLedger(now: () => number = Date.now): SendLedger {
  const sends: ReceivedSend[] = [];
  return {
    sends,
    note: (send) => {
      sends.push({ ...send, at: now() });
    },
  };
}

/** The client's references: `event-` and a UUID. */
const REFERENCE = /event-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const VARIANT = /^event-\S+ variant (\w+)/m;

interface Webhook {
  readonly data?: {
    readonly message_id?: string;
    readonly delivery_run_id?: string;
    readonly recipient?: { readonly email?: string };
    readonly payload?: { readonly reference?: string; readonly variant?: string };
  };
}

/** Reads the body of a webhook without a template. Throws if it is not JSON. */
function contentOfWebhook(body: string): SendContent {
  const { message_id, delivery_run_id, recipient, payload } = (JSON.parse(body) as Webhook).data ?? {};
  return {
    reference: payload?.reference ?? '',
    variant: payload?.variant ?? '',
    recipient: recipient?.email ?? '',
    ids: [message_id ?? '', delivery_run_id ?? ''],
  };
}

/**
 * Reads a mail made with the stack's template, which contains the reference in subject, text and HTML. If there are
 * several references or recipients, the result contains all of them, so that it matches no event.
 */
function contentOfMail(mail: string, recipients: readonly string[]): SendContent {
  const [, body = ''] = mail.split(/\r?\n\r?\n(.*)/s);
  const [, subject = ''] = /^subject:\s*(.*)/im.exec(mail) ?? [];
  return {
    reference: [...new Set([...subject.matchAll(REFERENCE), ...body.matchAll(REFERENCE)].flat())].join(', '),
    variant: VARIANT.exec(body)?.[1] ?? '',
    recipient: recipients.join(', '),
    ids: [],
  };
}

const HTTP_STATUS = { accepted: 200, refused: 500 } as const;

/** Records each webhook, and answers it, or not, as `treat` says. */
export function receiveWebhooks(ledger: SendLedger, treat: Treat): Promise<Listening> {
  return startHttpReceiver(async ({ body, headers, path }, response) => {
    const content = contentOfWebhook(body);
    const runId = String(headers['webhook-id']);
    const { delayMs, answer } = treat({ runId, path });
    ledger.note({ runId, kind: 'webhook', answer, content });
    if (answer === 'none') return;
    if (delayMs > 0) await wait(delayMs);
    response.writeHead(HTTP_STATUS[answer]).end();
  });
}

const MESSAGE_ID = /^message-id:\s*<(run_[0-9a-z]+)@/im;
/** A reply code after which a sender retries. */
const TRY_AGAIN = 451;

/** Records each mail, and answers it as `treat` says. */
export function receiveMails(ledger: SendLedger, treat: Treat): Promise<SmtpReceiver> {
  return startSmtpReceiver(async ({ raw, to }) => {
    const mail = raw.toString('latin1');
    const runId = MESSAGE_ID.exec(mail)?.[1] ?? 'without Message-ID';
    const { delayMs, answer } = treat({ runId, path: 'smtp' });
    ledger.note({ runId, kind: 'email', answer, content: contentOfMail(mail, to) });
    if (delayMs > 0) await wait(delayMs);
    return answer === 'accepted' ? undefined : TRY_AGAIN;
  });
}
