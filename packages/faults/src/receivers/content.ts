import type { SendContent } from '../ledgers.ts';

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

/** Reads the body that a webhook has without a template (contract section 7). Throws when it is not JSON. */
export function contentOfWebhook(body: string): SendContent {
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
export function contentOfMail(mail: string, recipients: readonly string[]): SendContent {
  const [, body = ''] = mail.split(/\r?\n\r?\n(.*)/s);
  const [, subject = ''] = /^subject:\s*(.*)/im.exec(mail) ?? [];
  return {
    reference: [...new Set([...subject.matchAll(REFERENCE), ...body.matchAll(REFERENCE)].flat())].join(', '),
    variant: VARIANT.exec(body)?.[1] ?? '',
    recipient: recipients.join(', '),
    ids: [],
  };
}
