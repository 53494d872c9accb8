import {
  type EmailFeedbackReader,
  type FeedbackEvent,
  type FeedbackType,
  feedbackEventId,
  feedbackReason,
  feedbackRunId,
  feedbackText,
  feedbackTime,
} from '../feedback.ts';
import { fieldGroups, type Report, readReport } from './report.ts';

/** Recipients of one report that are read: a mail of a run has a few. */
const MAX_RECIPIENTS = 20;

type Fields = ReadonlyMap<string, string>;

/** What a report says of one recipient. */
type Told = Pick<FeedbackEvent, 'type' | 'permanent' | 'email' | 'reason'> & {
  readonly at: string | undefined;
};

/** `2.1.5`, from the field or from the text of a diagnostic. */
const STATUS = /\b([245])\.(\d{1,3})\.(\d{1,3})\b/;
/**
 * Permanent failures that say nothing of the address (RFC 3463): a full mailbox or too large a mail, content that was not
 * taken, and policy, such as a sender with a bad name.
 */
const NOT_OF_ADDRESS = /^5\.(2\.[234]|3\.4|6\.\d+|7\.\d+)$/;

/** The address of a field such as `rfc822; ada@example.com`; null when it is none. */
function addressOf(field: string | undefined): string | null {
  if (field === undefined) return null;
  const text = field.includes(';') ? field.slice(field.indexOf(';') + 1) : field;
  const address = text.trim().replace(/^<(.*)>$/, '$1');
  return address.includes('@') ? feedbackText(address) : null;
}

/** What was done (RFC 3464, section 2.3.3), else what the class of the status says. */
function typeOf(action: string, status: string): FeedbackType | null {
  if (action === 'failed') return 'bounced';
  if (action === 'delayed') return 'deferred';
  if (action === 'delivered' || action === 'relayed' || action === 'expanded') return 'delivered';
  if (status.startsWith('5')) return 'bounced';
  if (status.startsWith('4')) return 'deferred';
  return status.startsWith('2') ? 'delivered' : null;
}

function tellStatus(recipient: Fields): Told | null {
  const diagnostic = recipient.get('diagnostic-code');
  const status = STATUS.exec(recipient.get('status') ?? '')?.[0] ?? STATUS.exec(diagnostic ?? '')?.[0] ?? '';
  const type = typeOf((recipient.get('action') ?? '').trim().toLowerCase(), status);
  if (type === null) return null;
  return {
    type,
    permanent: type === 'bounced' && status.startsWith('5') && !NOT_OF_ADDRESS.test(status),
    // Of a mail that was forwarded the original is the one that it was sent to.
    email: addressOf(recipient.get('original-recipient')) ?? addressOf(recipient.get('final-recipient')),
    reason: feedbackReason([status, diagnostic?.replace(/^\s*smtp\s*;\s*/i, '')].filter(Boolean).join(' ')),
    at: recipient.get('last-attempt-date'),
  };
}

/** Complaints of RFC 5965 by their type; `not-spam` is none. */
const COMPLAINTS: ReadonlyMap<string, FeedbackType> = new Map([
  ['abuse', 'complained'],
  ['fraud', 'complained'],
  ['virus', 'complained'],
  ['other', 'complained'],
  ['opt-out', 'unsubscribed'],
]);

function tellComplaint(fields: Fields): Told[] {
  const kind = (fields.get('feedback-type') ?? '').trim().toLowerCase();
  const type = COMPLAINTS.get(kind);
  if (!type) return [];
  const email = addressOf(fields.get('original-rcpt-to'));
  return [{ type, permanent: false, email, reason: feedbackReason(kind), at: fields.get('arrival-date') }];
}

function tell({ deliveryStatus, feedbackReport }: Report): Told[] {
  if (feedbackReport !== null) return fieldGroups(feedbackReport, 1).flatMap(tellComplaint);
  if (deliveryStatus === null) return [];
  // The first group is of the message.
  const recipients = fieldGroups(deliveryStatus, MAX_RECIPIENTS + 1).slice(1);
  return recipients.flatMap((recipient) => tellStatus(recipient) ?? []);
}

/**
 * Reads delivery reports (RFC 3464) and complaints (RFC 5965) as a mail server pipes them. The `Message-ID` of what was
 * returned names the run. Anybody can write such a mail, so what it says counts for a run that it names and for the
 * address of that run alone. A mail that is no report has no events: the mail server cannot do anything about it.
 */
export const dsnReader: EmailFeedbackReader = {
  async read({ body, nowMs }) {
    const report = await readReport(body);
    const returned = fieldGroups(report.returned ?? '', 1)[0];
    const runId = feedbackRunId(returned?.get('message-id'));
    if (runId === null) return { ok: true, events: [] };
    const told = tell(report);
    const events = told.map(({ at, ...event }): FeedbackEvent => {
      const time = feedbackTime(at ?? report.date?.toISOString(), nowMs);
      const { type, email, reason } = event;
      return {
        ...event,
        id: feedbackEventId(null, runId, type, email, reason, at ?? report.date ?? report.messageId),
        runId,
        providerMessageId: null,
        at: time,
      };
    });
    return { ok: true, events };
  },
};
