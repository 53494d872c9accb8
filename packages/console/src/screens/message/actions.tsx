import type { DeliveryRun, Message } from '@postrider/client';
import { useState } from 'react';
import type { Scope } from '../../api/scope.ts';
import { Target } from '../../app/environment.tsx';
import { InputError } from '../../ui/feedback.tsx';
import { Check } from '../../ui/form.tsx';
import { formatCountdown } from '../../ui/format.ts';
import { Confirm } from '../../ui/overlays.tsx';
import { useNow } from '../../ui/parts.tsx';
import { toast } from '../../ui/toasts.ts';
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

export function ReplayDialog({
  scope,
  message,
  runs,
  onClose,
  onDone,
}: {
  scope: Scope;
  message: Message;
  runs: readonly DeliveryRun[];
  onClose: () => void;
  onDone: () => Promise<unknown>;
}) {
  const channels = channelsOf(runs);
  const failed = channels.filter(({ status }) => status === 'failed').map(({ id }) => id);
  const [chosen, setChosen] = useState<readonly string[]>(
    failed.length > 0 ? failed : channels.map(({ id }) => id),
  );
  const isAll = chosen.length === channels.length;
  const replay = async () => {
    if (chosen.length === 0 && channels.length > 0) throw new InputError('Choose at least one channel.');
    const replayed = await scope.replay(message.id, isAll ? undefined : chosen);
    const count = replayed.delivery_runs.length;
    const skipped = replayed.skipped_channels
      .map(({ channel, reason }) => ` Not to ${channel.name}: ${SKIPPED[reason]}.`)
      .join('');
    toast(`Replayed to ${count} ${count === 1 ? 'channel' : 'channels'}.${skipped}`);
    await onDone();
  };
  return (
    <Confirm
      open
      danger={false}
      onClose={onClose}
      title="Replay this message"
      action="Replay"
      target={<Target />}
      onConfirm={replay}
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
            onChange={(event) =>
              setChosen(event.target.checked ? [...chosen, id] : chosen.filter((each) => each !== id))
            }
          />
        ))}
      </fieldset>
    </Confirm>
  );
}

export function CancelDialog({
  scope,
  run,
  onClose,
  onDone,
}: {
  scope: Scope;
  run: DeliveryRun;
  onClose: () => void;
  onDone: () => Promise<unknown>;
}) {
  const now = useNow(1_000);
  const left = run.scheduled_at ? Date.parse(run.scheduled_at) - now : 0;
  const cancel = async () => {
    try {
      await scope.cancel(run.id);
      toast(`The delivery to ${run.channel.name} is cancelled.`);
    } finally {
      // Also if it was too late: the timeline then shows what happened instead.
      await onDone();
    }
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title="Cancel the scheduled delivery"
      action="Cancel the delivery"
      target={<Target />}
      onConfirm={cancel}
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
    </Confirm>
  );
}
