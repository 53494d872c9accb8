import type { Message } from '@postrider/client';
import { useState } from 'react';
import type { Scope } from '../../api/scope.ts';
import { Target } from '../../app/environment.tsx';
import { InputError } from '../../ui/feedback.tsx';
import { bind, TextField } from '../../ui/form.tsx';
import { fromLocalInput, toLocalInput } from '../../ui/format.ts';
import { Confirm } from '../../ui/overlays.tsx';
import { toast } from '../../ui/toasts.ts';

interface ScheduleProps {
  readonly scope: Scope;
  readonly message: Message;
  readonly onClose: () => void;
  readonly onDone: () => Promise<unknown>;
}

/** A summary of the outcomes, such as "2 deliveries are cancelled. 1 is unchanged." */
function summaryOf(runs: readonly { readonly outcome: string }[], outcome: string): string {
  const done = runs.filter((run) => run.outcome === outcome).length;
  const others = runs.length - done;
  const count = done === 1 ? '1 delivery is' : `${done} deliveries are`;
  return `${count} ${outcome}.${others > 0 ? ` ${others} ${others === 1 ? 'is unchanged' : 'are unchanged'}.` : ''}`;
}

/** Gives all scheduled deliveries of a message another time. */
export function RescheduleDialog({ scope, message, onClose, onDone }: ScheduleProps) {
  const [at, setAt] = useState(toLocalInput(message.schedule_at ?? undefined));
  const reschedule = async () => {
    const time = fromLocalInput(at);
    if (!time) throw new InputError('Choose a time.');
    try {
      const { delivery_runs } = await scope.reschedule(message.id, time);
      toast(summaryOf(delivery_runs, 'rescheduled'));
    } finally {
      await onDone();
    }
  };
  return (
    <Confirm
      open
      danger={false}
      onClose={onClose}
      title="Reschedule this message"
      action="Reschedule the deliveries"
      target={<Target />}
      onConfirm={reschedule}
    >
      <TextField
        label="Send at"
        hint="In your time zone. A past time sends it at once."
        type="datetime-local"
        required
        {...bind(at, setAt)}
      />
    </Confirm>
  );
}

/** Cancels all scheduled deliveries of a message. */
export function CancelMessageDialog({ scope, message, onClose, onDone }: ScheduleProps) {
  const cancel = async () => {
    try {
      const { delivery_runs } = await scope.cancelMessage(message.id);
      toast(summaryOf(delivery_runs, 'cancelled'));
    } finally {
      // Also where it was too late: the timeline then shows what happened instead.
      await onDone();
    }
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title="Cancel this message"
      action="Cancel all scheduled deliveries"
      target={<Target />}
      onConfirm={cancel}
    >
      <p>
        Deliveries that are still scheduled are not sent. Those that were sent or are being retried are
        unchanged. The message can be replayed.
      </p>
    </Confirm>
  );
}
