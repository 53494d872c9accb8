import type { DeliveryRun, Message } from '@postrider/client';
import { useState } from 'react';
import { keys, useEnvironment } from '../../api/index.ts';
import { InputError } from '../../ui/display.ts';
import { formatCountdown } from '../../ui/format.ts';
import { Change, ChangeForm, Check, moment, toggled } from '../../ui/input.ts';
import { useNow } from '../../ui/parts.tsx';
import { recipientOf } from '../messages/table.tsx';

/** Reasons for which a replay skips a channel. */
const SKIPPED = {
  filtered: 'its filter does not match',
  template_not_found: 'it has no active template',
} as const;

/** The channels of a message with the status of their newest run. */
function channelsOf(runs: readonly DeliveryRun[]) {
  const newest = new Map(runs.map((run) => [run.channel.id, run]));
  return [...newest.values()].map(({ channel, status }) => ({ ...channel, status }));
}

/** The queries that show a message. */
const shownBy = (environmentId: string, messageId: string) => [
  keys.message(environmentId, messageId),
  keys.messages(environmentId),
];

export function ReplayDialog({ message, runs }: { message: Message; runs: readonly DeliveryRun[] }) {
  const { environmentId, scope } = useEnvironment();
  const channels = channelsOf(runs);
  const failed = channels.filter(({ status }) => status === 'failed').map(({ id }) => id);
  const [chosen, setChosen] = useState<readonly string[]>(
    failed.length > 0 ? failed : channels.map(({ id }) => id),
  );
  const isAll = chosen.length === channels.length;
  const replay = async () => {
    if (chosen.length === 0 && channels.length > 0) throw new InputError('Choose at least one channel.');
    const replayed = await scope.messages.replay(message.id, isAll ? {} : { channels: [...chosen] });
    const count = replayed.delivery_runs.length;
    const skipped = replayed.skipped_channels
      .map(({ channel, reason }) => ` Not to ${channel.name}: ${SKIPPED[reason]}.`)
      .join('');
    return `Replayed to ${count} ${count === 1 ? 'channel' : 'channels'}.${skipped}`;
  };
  return (
    <Change
      danger={false}
      title="Replay this message"
      action="Replay"
      change={replay}
      shownIn={shownBy(environmentId, message.id)}
    >
      <p>
        {recipientOf(message)} gets <code>{message.event_key}</code> again, with the current channels, filters
        and templates. It counts one event against the quota.
      </p>
      <fieldset className="stack-tight">
        <legend>{channels.length === 0 ? 'All channels that take it now' : 'Channels'}</legend>
        {channels.map(({ id, name, kind, status }) => (
          <Check
            key={id}
            label={`${name} (${kind})`}
            hint={`last: ${status}`}
            checked={chosen.includes(id)}
            onChange={() => setChosen(toggled(chosen, id))}
          />
        ))}
      </fieldset>
    </Change>
  );
}

/** If it was too late, the timeline then shows what happened instead. */
export function CancelDialog({ run }: { run: DeliveryRun }) {
  const { environmentId, scope } = useEnvironment();
  const now = useNow(1_000);
  const left = run.scheduled_at ? Date.parse(run.scheduled_at) - now : 0;
  return (
    <Change
      title="Cancel the scheduled delivery"
      action="Cancel the delivery"
      change={() => scope.deliveryRuns.cancel(run.id)}
      shownIn={shownBy(environmentId, run.message_id)}
      done={`The delivery to ${run.channel.name} is cancelled.`}
    >
      <p>
        The delivery to <strong>{run.channel.name}</strong> is{' '}
        {left > 0 ? (
          <>
            sent in <strong className="number">{formatCountdown(left)}</strong>
          </>
        ) : (
          'being sent now'
        )}
        . A cancelled delivery is not sent later; the message can be replayed.
      </p>
    </Change>
  );
}

/** A summary of the outcomes, such as "2 deliveries are cancelled. 1 is unchanged." */
function summaryOf(runs: readonly { readonly outcome: string }[], outcome: string): string {
  const done = runs.filter((run) => run.outcome === outcome).length;
  const others = runs.length - done;
  const count = done === 1 ? '1 delivery is' : `${done} deliveries are`;
  return `${count} ${outcome}.${others > 0 ? ` ${others} ${others === 1 ? 'is unchanged' : 'are unchanged'}.` : ''}`;
}

const SEND_AT = moment('schedule_at', 'Send at', {
  required: true,
  hint: 'In your time zone. A past time sends it at once.',
});

/** Gives all scheduled deliveries of a message another time. */
export function RescheduleDialog({ message }: { message: Message }) {
  const { environmentId, scope } = useEnvironment();
  return (
    <ChangeForm
      title="Reschedule this message"
      action="Reschedule the deliveries"
      fields={[SEND_AT]}
      initial={{ schedule_at: message.schedule_at ?? undefined }}
      change={async ({ schedule_at: at }) =>
        summaryOf((await scope.messages.reschedule(message.id, String(at))).delivery_runs, 'rescheduled')
      }
      shownIn={shownBy(environmentId, message.id)}
    />
  );
}

/** Cancels all scheduled deliveries of a message. */
export function CancelMessageDialog({ message }: { message: Message }) {
  const { environmentId, scope } = useEnvironment();
  return (
    <Change
      title="Cancel this message"
      action="Cancel all scheduled deliveries"
      change={async () => summaryOf((await scope.messages.cancel(message.id)).delivery_runs, 'cancelled')}
      shownIn={shownBy(environmentId, message.id)}
    >
      <p>
        Deliveries that are still scheduled are not sent. Those that were sent or are being retried are
        unchanged. The message can be replayed.
      </p>
    </Change>
  );
}
