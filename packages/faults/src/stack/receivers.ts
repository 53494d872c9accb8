import { setTimeout as wait } from 'node:timers/promises';
import { type Listening, type SmtpReceiver, startHttpReceiver, startSmtpReceiver } from '@postrider/rig';
import type { ReceivedSend, SendContent } from '../ledgers.ts';

/** What a receiver does with a send. */
export interface Treatment {
  /** Milliseconds until the answer. */
  readonly delayMs: number;
  readonly answer: ReceivedSend['answer'];
}

/** Chooses the treatment of each send; `path` tells endpoints apart and is `smtp` for mail. */
export type Treat = (send: { runId: string; path: string }) => Treatment;

/** Collects what arrived at any receiver. */
export interface SendLedger {
  /** Notes the arrival at once, so that a send counts even if its answer is never given. */
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

/** As the client makes them: `event-` and a UUID. */
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

/** Reads the body that a webhook has without a template. Throws when it is not JSON. */
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
 * Reads a mail made of the stack's template, which names the reference in subject, text and HTML. Several
 * references or recipients are all in the result, so that it equals no event's.
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

/** Notes each webhook and answers it, or never does, as `treat` says. */
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
/** A reply after which a sender tries again. */
const TRY_AGAIN = 451;

/** Notes each mail and answers it as `treat` says. */
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
