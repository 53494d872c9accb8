import type { FeedbackEvent, FeedbackType } from '@postrider/domain';
import { enhancedStatus, isPermanentBounce } from '../bounces.ts';
import {
  type EmailFeedbackReader,
  feedbackEventId,
  feedbackReason,
  feedbackRunId,
  feedbackText,
  feedbackTime,
} from '../feedback.ts';
import { tokensIn } from '../providers/smtp/return-path.ts';
import { fieldGroups, type Report, readReport } from './report.ts';

/** The most recipients read from one report. The mail of a run has only a few. */
const MAX_RECIPIENTS = 20;
/** The most tokens of one report that are looked up. A genuine report has one. */
const MAX_TOKENS = 10;

type Fields = ReadonlyMap<string, string>;

/** The part of a report about one recipient. */
type ReportedRecipient = Pick<FeedbackEvent, 'type' | 'permanent' | 'email' | 'reason'> & {
  readonly at: string | undefined;
};

/** The address in a field such as `rfc822; ada@example.com`, or null. */
function addressOf(field: string | undefined): string | null {
  if (field === undefined) return null;
  const text = field.includes(';') ? field.slice(field.indexOf(';') + 1) : field;
  const address = text.trim().replace(/^<(.*)>$/, '$1');
  return address.includes('@') ? feedbackText(address) : null;
}

/** The action of the report (RFC 3464, section 2.3.3) decides, or else the class of the status. */
function typeOf(action: string, status: string): FeedbackType | null {
  if (action === 'failed') return 'bounced';
  if (action === 'delayed') return 'deferred';
  if (action === 'delivered' || action === 'relayed' || action === 'expanded') return 'delivered';
  if (status.startsWith('5')) return 'bounced';
  if (status.startsWith('4')) return 'deferred';
  return status.startsWith('2') ? 'delivered' : null;
}

function readStatus(recipient: Fields): ReportedRecipient | null {
  const diagnostic = recipient.get('diagnostic-code');
  const texts = [recipient.get('status'), diagnostic];
  const status = enhancedStatus(...texts) ?? '';
  const type = typeOf((recipient.get('action') ?? '').trim().toLowerCase(), status);
  if (type === null) return null;
  return {
    type,
    permanent: type === 'bounced' && isPermanentBounce({ texts }),
    // If the mail was forwarded, the original recipient is the one that it was sent to.
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

function readComplaint(fields: Fields): ReportedRecipient[] {
  const kind = (fields.get('feedback-type') ?? '').trim().toLowerCase();
  const type = COMPLAINTS.get(kind);
  if (!type) return [];
  const email = addressOf(fields.get('original-rcpt-to'));
  return [{ type, permanent: false, email, reason: feedbackReason(kind), at: fields.get('arrival-date') }];
}

function readRecipients({ deliveryStatus, feedbackReport }: Report): ReportedRecipient[] {
  if (feedbackReport !== null) return fieldGroups(feedbackReport, 1).flatMap(readComplaint);
  if (deliveryStatus === null) return [];
  // The first group is about the message.
  const recipients = fieldGroups(deliveryStatus, MAX_RECIPIENTS + 1).slice(1);
  return recipients.flatMap((recipient) => readStatus(recipient) ?? []);
}

/** The run that a report was returned to: its recipient is the return path of the run's mail. */
async function runIdOfRecipient(
  recipients: readonly string[],
  runIdOfToken: (token: string) => Promise<string | null>,
): Promise<string | null> {
  for (const token of recipients.flatMap(tokensIn).slice(0, MAX_TOKENS)) {
    const runId = await runIdOfToken(token);
    if (runId !== null) return runId;
  }
  return null;
}

/**
 * Reads delivery reports (RFC 3464) and complaints (RFC 5965) that a mail server pipes. The address that the report was
 * sent to identifies the run if it is a return path with a token, also if the report returns nothing of the mail; otherwise
 * the `Message-ID` of the returned mail. Anybody can forge such a report, so it only counts for a run that it identifies
 * and for that run's address. A mail that is not a report yields no events: the mail server could not do anything
 * about an error.
 */
export const dsnReader: EmailFeedbackReader = {
  async read({ query, body, nowMs, runIdOfToken }) {
    const report = await readReport(body);
    const returned = fieldGroups(report.returned ?? '', 1)[0];
    const runId =
      (await runIdOfRecipient([String(query.recipient ?? ''), ...report.recipients], runIdOfToken)) ??
      feedbackRunId(returned?.get('message-id'));
    if (runId === null) return { ok: true, events: [] };
    const reported = readRecipients(report);
    const events = reported.map(({ at, ...event }): FeedbackEvent => {
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
