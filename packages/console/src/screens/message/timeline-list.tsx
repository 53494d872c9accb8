import { type Attempt, type DeliveryRun, HOLD_REASONS } from '@postrider/client';
import {
  Ban,
  ChevronRight,
  CircleDashed,
  CircleSlash,
  Clock,
  Eye,
  FileCheck,
  Inbox,
  ListOrdered,
  type LucideIcon,
  RotateCw,
} from 'lucide-react';
import { useMay, useSession } from '../../api/index.ts';
import { lookOf, type Tone } from '../../ui/display.ts';
import { formatClock, formatCountdown, formatDateTime, formatDuration, formatUtc } from '../../ui/format.ts';
import { Button, CopyId, TextWithTime, useNow } from '../../ui/parts.tsx';
import { KindIcon } from '../messages/table.tsx';
import { CancelDialog } from './actions.tsx';
import { ContentDialog } from './content.tsx';
import { type TimelineEvent, UNSENT_REASONS } from './timeline.ts';
import {
  FeedbackNote,
  HeldNote,
  OrderNote,
  type PausedChannels,
  Problem,
  QueueNote,
  SkippedCopies,
  SkippedReason,
  SkippedTitle,
  TriedSenders,
} from './timeline-notes.tsx';

/** The response as text. SMTP responses already start with their code. */
const replyOf = ({ status_code, body_excerpt }: NonNullable<Attempt['response']>) =>
  body_excerpt?.startsWith(String(status_code)) ? body_excerpt : `${status_code} ${body_excerpt ?? ''}`;

/** The time since the acceptance; for the acceptance itself its clock time. */
function When({ at, start }: { at: string; start: string }) {
  const after = Date.parse(at) - Date.parse(start);
  return (
    <time dateTime={at} title={`${formatDateTime(at)}\n${formatUtc(at)}`}>
      {after === 0 ? formatClock(at) : `+${formatDuration(Math.max(0, after))}`}
    </time>
  );
}

interface Line {
  readonly icon: LucideIcon;
  readonly tone: Tone;
  readonly title: React.ReactNode;
}

function Countdown({ at }: { at: string }) {
  const now = useNow(1_000);
  const left = Date.parse(at) - now;
  return <span className="number">{left > 0 ? `in ${formatCountdown(left)}` : 'now'}</span>;
}

/** @param replay see `DeliveryRun`; the attempts of each replay begin with 1 */
function attemptTitle(
  { number, status, duration_ms, response, sender }: Attempt,
  replay: DeliveryRun['replay'] | undefined,
): string {
  const { word } = lookOf(status);
  const reply = response ? ` · replied ${response.status_code}` : '';
  const duration = duration_ms === null ? '' : ` · ${formatDuration(duration_ms)}`;
  const by = sender ? ` · by ${sender}` : '';
  const of = replay ? ` of replay ${replay}` : '';
  return `Attempt ${number}${of}: ${word.toLowerCase()}${reply}${duration}${by}`;
}

/** What created a run at once. Of replays only the retry of a blocked ordering key has a place in its order. */
function createdWord({ replay, sequence }: DeliveryRun): string {
  if (!replay) return 'Queued';
  return sequence === null ? `Replay ${replay}` : `Retried as replay ${replay}`;
}

const createdTitle = (run: DeliveryRun) =>
  run.scheduled_at ? <TextWithTime text="Scheduled for " at={run.scheduled_at} /> : createdWord(run);

const NEXT = {
  scheduled: 'Sends',
  queued: 'Waits for a worker',
  retrying: 'Next attempt',
} as const;

/** Lines for the types of feedback. */
const FEEDBACK = {
  delivered: ['arrived', 'Reported as delivered to the mailbox'],
  deferred: ['deferred', 'Reported as deferred: the provider keeps trying'],
  bounced: ['bounced', 'Reported as bounced'],
  complained: ['complained', 'The recipient complained: reported as spam'],
} as const;

function lineOf(event: TimelineEvent): Line {
  switch (event.type) {
    case 'accepted':
      return { icon: Inbox, tone: 'info', title: 'Accepted' };
    case 'skipped':
      return { icon: CircleSlash, tone: 'neutral', title: <SkippedTitle channels={event.channels} /> };
    case 'created':
      return {
        icon: event.run?.trigger === 'replay' ? RotateCw : CircleDashed,
        tone: 'neutral',
        title: event.run && createdTitle(event.run),
      };
    case 'attempt': {
      const { icon, tone } = lookOf(event.attempt.status);
      return { icon, tone, title: attemptTitle(event.attempt, event.run?.replay) };
    }
    case 'unsent':
      return {
        icon: CircleSlash,
        tone: 'bad',
        title: `Not sent: ${UNSENT_REASONS[event.attempt.error_code ?? '']}`,
      };
    case 'feedback': {
      const [look, title] = FEEDBACK[event.feedback.type];
      return { ...lookOf(look), title };
    }
    case 'cancelled':
      return { icon: Ban, tone: 'neutral', title: 'Cancelled before it was sent' };
    case 'next':
      if (event.run?.held_by)
        return { ...lookOf('held'), title: `Waiting: ${HOLD_REASONS[event.run.held_by]}` };
      return {
        icon: Clock,
        tone: 'info',
        title: (
          <>
            {NEXT[event.status]} {event.status !== 'queued' && event.at && <Countdown at={event.at} />}
          </>
        ),
      };
  }
}

function Lane({ kind, name }: { kind: string; name: string }) {
  return (
    <span className="lane">
      <KindIcon kind={kind} />
      <span className="truncate">{name}</span>
    </span>
  );
}

/** The outcome of a run after its last attempt. */
function Outcome({ run, attempt }: { run: DeliveryRun; attempt: Attempt }) {
  if (run.status !== 'failed') return null;
  const used =
    run.max_attempts === 1 ? 'Its only attempt is used.' : `All ${run.max_attempts} attempts are used.`;
  return (
    <span className="small muted">
      {attempt.retryable === false ? 'The error is final: the delivery is not tried again.' : used}
    </span>
  );
}

function AttemptDetails({ event }: { event: Extract<TimelineEvent, { type: 'attempt' }> }) {
  const { attempt, run, isLast } = event;
  const { status, error_code, response } = attempt;
  const of = run ? ` of ${run.channel.name}` : '';
  return (
    <>
      <TriedSenders attempt={attempt} />
      <SkippedCopies attempt={attempt} />
      <Problem attempt={attempt} />
      {response?.body_excerpt && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section className="reply" aria-label={`Reply to attempt ${attempt.number}${of}`} tabIndex={0}>
          {replyOf(response)}
        </section>
      )}
      {run && isLast && <Outcome run={run} attempt={attempt} />}
      {run && (
        <div className="row">
          <Button
            small
            variant="quiet"
            icon={Eye}
            operation="getEnvironmentDeliveryContent"
            dialog={<ContentDialog runId={run.id} attempt={attempt.number} />}
          >
            {status === 'unknown' && error_code === 'worker_lost'
              ? 'What was probably sent'
              : 'What was sent'}
          </Button>
          <CopyId value={attempt.id} short label="Copy attempt id" />
          {attempt.provider_message_id && (
            <CopyId value={attempt.provider_message_id} label="Copy the provider’s message id" />
          )}
        </div>
      )}
    </>
  );
}

/** One timeline of the message across all channels. */
export function TimelineList({
  events,
  paused,
}: {
  events: readonly TimelineEvent[];
  paused: PausedChannels;
}) {
  const start = events[0]?.at ?? '';
  const may = useMay();
  const canOpenChannels = useSession().role === 'operator' && may('getChannel');
  return (
    <ol className="timeline" aria-label="Timeline">
      {events.map((event) => {
        const { icon: Icon, tone, title } = lineOf(event);
        const skipped = event.type === 'skipped' ? event.channels : [];
        const lane = event.run?.channel ?? (skipped.length === 1 ? skipped[0] : null);
        return (
          <li key={event.key} className={event.type === 'next' ? 'event pending' : 'event'}>
            <div className="event-when">
              {event.at && event.type !== 'next' && <When at={event.at} start={start} />}
            </div>
            <div className={`event-mark tone-${tone}`}>
              <Icon aria-hidden="true" />
            </div>
            <div className="event-body">
              <div className="event-title">
                <span>{title}</span>
                {lane && <Lane kind={lane.kind} name={lane.name} />}
              </div>
              {skipped.length > 1 && (
                <details className="disclosure small muted">
                  <summary>
                    <ChevronRight className="icon" aria-hidden="true" />
                    Show why
                  </summary>
                  <ul className="stack-tight">
                    {skipped.map((channel) => (
                      <li key={channel.channel_id} className="row">
                        <Lane kind={channel.kind} name={channel.name} />
                        <SkippedReason channel={channel} />
                      </li>
                    ))}
                  </ul>
                </details>
              )}
              {event.type === 'created' && event.run && (
                <div className="row small muted">
                  <CopyId value={event.run.id} short label="Copy run id" />
                  {event.run.template && (
                    <span className="row">
                      <FileCheck className="icon" aria-hidden="true" />
                      template version {event.run.template.version}
                    </span>
                  )}
                  {event.run.sequence !== null && (
                    <span className="row">
                      <ListOrdered className="icon" aria-hidden="true" />
                      sequence {event.run.sequence} of its key
                    </span>
                  )}
                </div>
              )}
              {event.type === 'attempt' && <AttemptDetails event={event} />}
              {event.type === 'unsent' && event.attempt.error_message && <Problem attempt={event.attempt} />}
              {event.type === 'feedback' && <FeedbackNote feedback={event.feedback} />}
              {event.type === 'next' && event.run?.held_by === 'channel_paused' && (
                <HeldNote paused={paused.get(event.run.channel.id)} />
              )}
              {event.type === 'next' && event.run?.held_by === 'ordering_key' && (
                <OrderNote run={event.run} canOpen={canOpenChannels} />
              )}
              {event.type === 'next' && event.run && <QueueNote queue={event.run.queue} />}
              {event.type === 'next' && event.status === 'scheduled' && event.run && (
                <div>
                  <Button
                    small
                    icon={Ban}
                    operation="cancelEnvironmentDeliveryRun"
                    dialog={<CancelDialog run={event.run} />}
                  >
                    Cancel
                  </Button>
                </div>
              )}
              {event.type === 'next' && event.status === 'retrying' && event.run && (
                <span className="small muted">
                  {event.run.attempt_count} of {event.run.max_attempts} attempts are used
                </span>
              )}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
