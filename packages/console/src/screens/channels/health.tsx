import { type Attempt, attemptProblem, type ConfiguredChannel } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { History, Pause, Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { keys, useEnvironment } from '../../api/index.ts';
import { Notice } from '../../ui/display.ts';
import { formatNumber, formatPercent } from '../../ui/format.ts';
import { ChangeButton } from '../../ui/input.ts';
import { Button, TextWithTime, Time } from '../../ui/parts.tsx';
import { Recover } from './recover.tsx';

/** Descriptions of why a channel is failing or paused. */
export const HEALTH_REASONS: Readonly<Record<string, string>> = {
  failures: 'only failures',
  timeouts: 'only timeouts',
  gone: 'the endpoint responded with 410 Gone',
  receiver: 'the receiver asked for it (webhook-delivery: pause)',
  manual: 'an operator paused it',
};

export type ChannelState = ConfiguredChannel['state'];

interface Reply {
  readonly outcome: string;
  readonly status_code: number | null;
  readonly error_code: string | null;
  readonly error_message: string | null;
}

/** A reply in words: what the other side answered, or why nothing arrived. */
export function replyOf({ outcome, status_code: status, error_code: code, error_message }: Reply): string {
  const replied = status === null ? '' : ` (${status})`;
  if (outcome === 'succeeded') return `Taken${replied}`;
  if (outcome === 'running') return 'Is being sent';
  const known = { error_code: code as Attempt['error_code'], error_message, response: null };
  return `${attemptProblem(known) ?? 'The outcome is not known'}${replied}`;
}

/** Sentences about a state that needs somebody; null for one that needs nobody. */
function sentencesOf({ state, health }: ConfiguredChannel): { title: ReactNode; about: ReactNode } | null {
  const { code, reason, next_probe_at: probe, success_rate: rate, blocked_keys: keys } = state;
  const because = reason === null ? '' : `: ${HEALTH_REASONS[reason] ?? reason}`;
  const waiting = health.waiting > 0 && `${formatNumber(health.waiting)} deliveries wait. `;
  switch (code) {
    case 'failing':
      return {
        title: <>It fails{<TextWithTime text=" since " at={state.since} />}.</>,
        about: rate !== null && `${formatPercent(rate)} of the attempts in the last 24 hours succeeded.`,
      };
    case 'paused':
    case 'probing':
      return {
        title: (
          <>
            Deliveries to this channel wait
            <TextWithTime text=" since " at={state.since} />
            {because}.
          </>
        ),
        about: (
          <>
            {waiting}
            {code === 'probing' ? (
              'One of them tries the channel now.'
            ) : probe ? (
              <>
                One of them tries the channel at <Time at={probe} />.
              </>
            ) : (
              'They wait until somebody resumes it.'
            )}{' '}
            It still receives events.
          </>
        ),
      };
    case 'blocked':
      return {
        title: `${formatNumber(keys)} ordering keys are blocked.`,
        about: 'Retry or skip the failed delivery of each; later ones of the key wait for it.',
      };
    case 'disabled':
      return { title: 'It is disabled.', about: 'It receives no events, and its due deliveries fail.' };
    default:
      return null;
  }
}

/** What is wrong with a channel, in words, with its last reply and what to do. */
export function ChannelBanner({ channel }: { channel: ConfiguredChannel }) {
  const { screen } = useEnvironment();
  const sentences = sentencesOf(channel);
  const { code, last_reply: last } = channel.state;
  const isFailure = last !== null && last.outcome !== 'succeeded' && last.outcome !== 'running';
  if (!sentences && !isFailure) return null;
  return (
    <Notice
      isContent
      tone={code === 'failing' ? 'bad' : 'warn'}
      title={sentences?.title ?? 'The last attempt failed.'}
    >
      {channel.disabled_reason && <p>The service disabled it automatically: {channel.disabled_reason}</p>}
      {sentences?.about && <p>{sentences.about}</p>}
      {isFailure && (
        <p className="break">
          Last reply, <Time at={last.at} format="relative" />:{' '}
          <Link to={screen`/messages/${last.message_id}`}>{replyOf(last)}</Link>
          {last.error_message && <span className="small muted"> {last.error_message}</span>}
        </p>
      )}
      <div className="row">
        {isPausedState(channel) && <PauseButton channel={channel} small />}
        {code !== 'blocked' && (
          <Button small icon={History} operation="createReplayBatch" dialog={<Recover channel={channel} />}>
            Recover what failed
          </Button>
        )}
      </div>
    </Notice>
  );
}

const isPausedState = ({ state }: ConfiguredChannel) => state.code === 'paused' || state.code === 'probing';

/** Pauses or resumes a channel, after a question. */
export function PauseButton({ channel, small }: { channel: ConfiguredChannel; small?: boolean }) {
  const { environmentId, admin } = useEnvironment();
  const isPaused = isPausedState(channel);
  const verb = isPaused ? 'Resume' : 'Pause';
  return (
    <ChangeButton
      danger={!isPaused}
      label={verb}
      of={channel.name}
      small={small}
      icon={isPaused ? Play : Pause}
      operation={isPaused ? 'resumeChannel' : 'pauseChannel'}
      action={`${verb} the channel`}
      change={() => (isPaused ? admin.channels.resume(channel.id) : admin.channels.pause(channel.id))}
      shownIn={[keys.channels(environmentId)]}
      done={isPaused ? 'The channel is resumed.' : 'The channel is paused. Its deliveries wait.'}
    >
      <p>
        {isPaused
          ? 'Waiting deliveries are sent oldest first, slowly at first. New events are sent at once.'
          : 'It still receives events, but nothing is sent until someone resumes it.'}
      </p>
    </ChangeButton>
  );
}
