import type { Attempt, DeliveryRun, Message, RunFeedback } from '@postrider/client';
import { shellQuoted } from '../../ui/format.ts';

type SkippedChannel = NonNullable<Message['channels']>[number];

/** One line of the timeline. `run` is null if the line is about the whole message. */
export type TimelineEvent = {
  readonly key: string;
  /** RFC 3339; null for a line without a time. */
  readonly at: string | null;
  readonly run: DeliveryRun | null;
} & (
  | { readonly type: 'accepted' }
  /** At least one channel that did not take the event. */
  | { readonly type: 'skipped'; readonly channels: readonly SkippedChannel[] }
  | { readonly type: 'created' }
  | { readonly type: 'attempt'; readonly attempt: Attempt; readonly isLast: boolean }
  /** The run ended without sending anything. */
  | { readonly type: 'unsent'; readonly attempt: Attempt }
  | { readonly type: 'feedback'; readonly feedback: RunFeedback }
  | { readonly type: 'next'; readonly status: 'scheduled' | 'queued' | 'retrying' }
  | { readonly type: 'cancelled' }
);

/** The order of events with the same time: causes before effects. */
const ORDER = {
  accepted: 0,
  skipped: 1,
  created: 2,
  attempt: 3,
  unsent: 3,
  feedback: 4,
  cancelled: 5,
  next: 6,
} as const;

/** Cancelled runs have a mark among their attempts, although nothing was tried. */
const isMark = ({ error_code }: Attempt) => error_code === 'scheduled_cancelled';

/** Error codes of runs that ended without sending. */
export const UNSENT_REASONS: Readonly<Record<string, string>> = {
  recipient_suppressed: 'the recipient is on the suppression list',
  expired: 'it expired before it could be sent',
  channel_disabled: 'the channel was disabled or deleted',
};

function eventsOf(run: DeliveryRun): TimelineEvent[] {
  const attempts = run.attempts.filter((attempt) => !isMark(attempt));
  const events: TimelineEvent[] = [{ type: 'created', key: `${run.id} created`, at: run.created_at, run }];
  for (const attempt of attempts) {
    if (attempt.error_code !== null && attempt.error_code in UNSENT_REASONS) {
      events.push({ type: 'unsent', key: attempt.id, at: attempt.started_at, run, attempt });
      continue;
    }
    const isLast = attempt === attempts.at(-1);
    events.push({ type: 'attempt', key: attempt.id, at: attempt.started_at, run, attempt, isLast });
  }
  if (run.feedback) {
    const { feedback } = run;
    events.push({ type: 'feedback', key: `${run.id} feedback`, at: feedback.at, run, feedback });
  }
  if (run.status === 'cancelled')
    events.push({ type: 'cancelled', key: `${run.id} cancelled`, at: run.completed_at, run });
  if (run.status === 'scheduled' || run.status === 'queued' || run.status === 'retrying') {
    const at = run.status === 'scheduled' ? run.scheduled_at : run.next_attempt_at;
    const after = attempts.at(-1)?.completed_at ?? run.created_at;
    events.push({ type: 'next', key: `${run.id} next`, at: at ?? after, run, status: run.status });
  }
  return events;
}

/** Past and future events of a message, across all its channels, ordered by time. */
export function timelineOf(message: Message, runs: readonly DeliveryRun[]): TimelineEvent[] {
  const at = message.created_at;
  const channels = (message.channels ?? []).filter(({ taken }) => !taken);
  const events: TimelineEvent[] = [{ type: 'accepted', key: 'accepted', at, run: null }];
  if (channels.length > 0) events.push({ type: 'skipped', key: 'skipped', at, run: null, channels });
  return [...events, ...runs.flatMap(eventsOf)].sort(
    (a, b) => (a.at ?? '').localeCompare(b.at ?? '') || ORDER[a.type] - ORDER[b.type],
  );
}

const SKIP_REASONS: Readonly<Record<string, string>> = {
  disabled: 'the channel was disabled',
  event_key_not_subscribed: 'it does not take this event key',
  no_active_template: 'it has no active template for this event',
  filtered: 'its filter does not match',
  no_recipient: 'the recipient has no address for it',
  created_later: 'the channel was created later',
  deleted: 'the channel was deleted',
  kind_not_in_plan: 'the plan does not include its kind',
  changed_since: 'the channel was changed since',
};

/** Why a channel did not take the event, as text. */
export const skipReason = ({ reason }: Pick<SkippedChannel, 'reason'>) =>
  SKIP_REASONS[reason] ?? reason.replaceAll('_', ' ');

/** The accepted request as a curl command. */
export function curlOf(message: Message, baseUrl: string): string {
  const body = JSON.stringify({
    event_key: message.event_key,
    recipient: message.recipient,
    payload: message.payload,
    ...(message.schedule_at && { schedule_at: message.schedule_at }),
    ...(message.expires_at && { expires_at: message.expires_at }),
    ...(message.ordering_key && { ordering_key: message.ordering_key }),
  });
  return [
    `curl -i ${shellQuoted(new URL('api/v1/events', baseUrl).href)}`,
    "-H 'Authorization: Bearer pr_…'",
    '-H "Idempotency-Key: $(uuidgen)"',
    "-H 'Content-Type: application/json'",
    `-d ${shellQuoted(body)}`,
  ].join(' \\\n  ');
}
