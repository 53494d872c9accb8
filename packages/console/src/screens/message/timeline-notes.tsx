import { type Attempt, attemptProblem, type DeliveryRun, type RunFeedback } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { type Attention, useEnvironment } from '../../api/index.ts';
import { TextWithTime, Time } from '../../ui/parts.tsx';
import { skipReason, type TimelineEvent } from './timeline.ts';

/** The paused channels of the environment, by id; empty for users who may not see them. */
export type PausedChannels = ReadonlyMap<string, Attention['paused_channels'][number]>;

/** The senders that an attempt tried before its last one, and why they were not enough. */
export function TriedSenders({ attempt: { tried } }: { attempt: Attempt }) {
  if (tried.length === 0) return null;
  return (
    <ul className="small" aria-label="Senders that were tried before">
      {tried.map(({ sender, outcome, error_code, error_message }) => (
        <li key={sender} className="break">
          Tried <strong>{sender}</strong> first: <code>{error_code}</code> {error_message}{' '}
          {outcome === 'unknown'
            ? 'It may have accepted the mail, so the recipient may get it twice.'
            : 'It did not accept the mail.'}
        </li>
      ))}
    </ul>
  );
}

/** The copies that an attempt did not reach. */
export function SkippedCopies({ attempt: { skipped_copies: skipped } }: { attempt: Attempt }) {
  if (skipped.length === 0) return null;
  return (
    <ul className="small" aria-label="Copies that were not sent">
      {skipped.map(({ email, outcome, reason }) => (
        <li key={email} className="break">
          No copy to <strong>{email}</strong>: {outcome === 'suppressed' ? 'it is suppressed.' : 'refused.'}{' '}
          {reason}
        </li>
      ))}
    </ul>
  );
}

export function FeedbackNote({ feedback: { type, at, permanent, reason } }: { feedback: RunFeedback }) {
  return (
    <>
      {reason && <span className="break">{reason}</span>}
      <span className="small muted">
        <Time at={at} />
        {type === 'bounced' &&
          (permanent ? ' · permanent: the address is on the suppression list' : ' · temporary')}
      </span>
    </>
  );
}

/** Why a run of a paused channel is held. */
export function HeldNote({ paused }: { paused: Attention['paused_channels'][number] | undefined }) {
  if (!paused) return null;
  return (
    <span className="small muted">
      <TextWithTime text="A delivery that waits tries the channel at " at={paused.next_probe_at} />
      {paused.next_probe_at ? '.' : 'Until someone resumes the channel.'}
    </span>
  );
}

/** Where to look for the delivery that blocks an ordering key; for operators. */
export function OrderNote({ run, canOpen }: { run: DeliveryRun; canOpen: boolean }) {
  const { screen } = useEnvironment();
  if (!canOpen) return null;
  return (
    <Link to={screen`/channels/${run.channel.id}`} className="small">
      See which keys are blocked
    </Link>
  );
}

/** The place of a run that waits for the limits of its channel. */
export function QueueNote({ queue }: { queue: DeliveryRun['queue'] }) {
  if (!queue) return null;
  return (
    <span className="small muted">
      {queue.ahead === 0 ? 'It is the next one' : `${queue.ahead.toLocaleString()} others are due before it`}
      <TextWithTime text=", expected at " at={queue.expected_at} />.
    </span>
  );
}

type Skipped = Extract<TimelineEvent, { type: 'skipped' }>['channels'];

/** Why a channel did not take the event. */
export function SkippedReason({ channel }: { channel: Skipped[number] }) {
  return (
    <>
      {skipReason(channel)}
      {channel.condition && (
        <>
          {' '}
          (<code>{channel.condition}</code>)
        </>
      )}
    </>
  );
}

/** The channels that did not take the event, in one line. */
export function SkippedTitle({ channels }: { channels: Skipped }) {
  const [first] = channels;
  return (
    <span className="muted">
      {first && channels.length === 1 ? (
        <>
          Not sent: <SkippedReason channel={first} />
        </>
      ) : (
        `Not sent to ${channels.length} channels`
      )}
    </span>
  );
}

/** The error of an attempt in words, then what the sender reported, and the code to search for. */
export function Problem({ attempt }: { attempt: Attempt }) {
  if (!attempt.error_code) return null;
  return (
    <span className="break">
      <strong>{attemptProblem(attempt)}.</strong> {attempt.error_message}{' '}
      <code className="small muted">{attempt.error_code}</code>
    </span>
  );
}
