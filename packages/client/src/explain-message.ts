import { attemptProblem, bounceProblem, errorName, HOLD_REASONS } from './error-names.ts';
import type { DeliveryRun, Message } from './types.ts';

/** What a person can do next. */
export type NextStep =
  | 'replay'
  | 'cancel'
  | 'open_channel'
  | 'open_channels'
  | 'open_templates'
  | 'open_suppressions';

/** What happened to a message, for people. */
export interface Explanation {
  readonly tone: 'ok' | 'info' | 'warn' | 'bad';
  /** One sentence, such as "Ada did not get the email: the mailbox does not exist." */
  readonly sentence: string;
  /** What happens next, as a sentence; null if there is nothing to say. */
  readonly next: string | null;
  /** When it happens, RFC 3339; null if nothing has a time. */
  readonly nextAt: string | null;
  /** The delivery that the sentence is about; null if it is about all or none. */
  readonly run: DeliveryRun | null;
  /** Best first. */
  readonly steps: readonly NextStep[];
}

type Told = Omit<Explanation, 'run'>;

/** An explanation without a next event and without steps, unless `more` has them. */
const tell = (tone: Told['tone'], sentence: string, more: Partial<Told> = {}): Told => ({
  tone,
  sentence,
  next: null,
  nextAt: null,
  steps: [],
  ...more,
});

const uncapitalised = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** Who gets a delivery: a person for email, otherwise the channel. */
function receiverOf(message: Pick<Message, 'recipient'>, { channel }: DeliveryRun): string {
  if (channel.kind !== 'email') return channel.name;
  const { name, email } = message.recipient as { name?: unknown; email?: unknown };
  return (
    [name, email].find((each): each is string => typeof each === 'string' && each !== '') ?? 'The recipient'
  );
}

const thingOf = ({ channel }: DeliveryRun) => (channel.kind === 'email' ? 'the email' : 'the event');

/** The last attempt that says why. */
const lastProblem = ({ attempts }: DeliveryRun) =>
  attempts.findLast(({ error_code }) => error_code !== null && error_code !== 'scheduled_cancelled');

const STEPS_AFTER: Readonly<Record<string, readonly NextStep[]>> = {
  template_render_failed: ['open_templates', 'replay'],
  recipient_suppressed: ['open_suppressions', 'replay'],
  channel_disabled: ['open_channel', 'replay'],
};

function tellFailed(who: string, run: DeliveryRun): Told {
  const attempt = lastProblem(run);
  const code = attempt?.error_code ?? run.last_error?.code ?? null;
  const why = attempt ? attemptProblem(attempt) : code && errorName(code);
  const isUsedUp = attempt?.retryable !== false && run.attempt_count > 1;
  return tell('bad', `${who} did not get ${thingOf(run)}${why ? `: ${uncapitalised(why)}` : ''}.`, {
    next: isUsedUp
      ? `All ${run.attempt_count} attempts are used: it will not be tried again.`
      : 'It will not be tried again.',
    steps: STEPS_AFTER[code ?? ''] ?? ['replay', 'open_channel'],
  });
}

function tellOpen(who: string, run: DeliveryRun): Told {
  const attempt = lastProblem(run);
  const why = attempt ? attemptProblem(attempt) : null;
  if (run.held_by)
    return tell('warn', `${who} has not received ${thingOf(run)} yet: ${HOLD_REASONS[run.held_by]}.`, {
      next: 'It is sent as soon as nothing holds it.',
      steps: run.held_by === 'stream_paused' ? ['open_suppressions'] : ['open_channel'],
    });
  if (run.status === 'scheduled')
    return tell('info', `${who} will get ${thingOf(run)} later.`, {
      next: 'It is sent',
      nextAt: run.scheduled_at,
      steps: ['cancel'],
    });
  if (run.status === 'retrying')
    return tell(
      'warn',
      `${who} has not received ${thingOf(run)} yet${why ? `: ${uncapitalised(why)}` : ''}.`,
      {
        next: `${run.attempt_count} of ${run.max_attempts} attempts are used; it is tried again`,
        nextAt: run.next_attempt_at,
        steps: ['open_channel'],
      },
    );
  return tell('info', `${capitalised(thingOf(run))} to ${who} is being sent.`);
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The feedback of providers about an email that was handed over. */
function tellTaken(who: string, { channel, feedback }: DeliveryRun): Told {
  if (channel.kind !== 'email') return tell('ok', `${who} got the event.`);
  switch (feedback?.type) {
    case 'bounced': {
      const why = bounceProblem(feedback.reason);
      const back = why ? `it came back, because ${uncapitalised(why)}` : 'it came back';
      const next = 'The address is on the suppression list: it no longer gets email.';
      const more: Partial<Told> = feedback.permanent
        ? { next, steps: ['open_suppressions'] }
        : { steps: ['replay'] };
      return tell('bad', `${who} did not get the email: ${back}.`, more);
    }
    case 'complained':
      return tell('warn', `${who} got the email and reported it as spam.`);
    case 'delivered':
      return tell('ok', `${who} got the email: it is in the mailbox.`);
    case 'deferred':
      return tell('warn', `The email to ${who} is delayed.`, { next: 'The provider keeps trying.' });
    default:
      return tell('ok', `The mail server accepted the email to ${who}.`);
  }
}

/** How much a delivery needs a person: the highest comes first. */
function weightOf({ status, held_by: heldBy, feedback }: DeliveryRun): number {
  if (status === 'failed' || feedback?.type === 'bounced') return 6;
  if (heldBy) return 5;
  if (status === 'retrying') return 4;
  if (feedback?.type === 'complained' || feedback?.type === 'deferred') return 3;
  if (status === 'queued' || status === 'running') return 2;
  return status === 'scheduled' ? 1 : 0;
}

/** What else happened, such as "2 other deliveries succeeded." */
function othersOf(others: readonly DeliveryRun[]): string | null {
  const count = others.filter(({ status }) => status === 'succeeded').length;
  if (count === 0) return null;
  if (count > 1) return `${count} other deliveries succeeded.`;
  return others.length === 1 ? 'The other delivery succeeded.' : 'Another delivery succeeded.';
}

/**
 * Tells in one sentence what happened to a message, what happens next, and what a person can do. `runs` are its delivery
 * runs with their attempts; of each channel the newest counts. The sentence is about the delivery that most needs a person.
 */
export function explainMessage(
  message: Pick<Message, 'recipient' | 'event_key' | 'status'>,
  runs: readonly DeliveryRun[],
): Explanation {
  const newest = [...new Map(runs.map((run) => [run.channel.id, run])).values()];
  const [run, ...others] = newest.toSorted((a, b) => weightOf(b) - weightOf(a));
  if (!run) {
    const isStored = message.status === 'unrouted';
    return {
      ...tell('warn', `Nobody got this event: no channel takes ${message.event_key}.`),
      next: isStored ? 'It is stored, and can be replayed once a channel takes it.' : null,
      run: null,
      steps: isStored ? ['open_channels', 'replay'] : ['open_channels'],
    };
  }
  const who = receiverOf(message, run);
  if (run.status === 'cancelled' && newest.every(({ status }) => status === 'cancelled'))
    return {
      ...tell('info', 'Nobody got this event: it was cancelled before it was sent.', { steps: ['replay'] }),
      run,
    };
  if (run.status === 'failed') {
    const told = tellFailed(who, run);
    return { ...told, next: [told.next, othersOf(others)].filter(Boolean).join(' '), run };
  }
  if (run.status !== 'succeeded' && run.status !== 'cancelled') return { ...tellOpen(who, run), run };
  const taken =
    run.status === 'succeeded' ? run : (newest.find(({ status }) => status === 'succeeded') ?? run);
  const told = tellTaken(receiverOf(message, taken), taken);
  return { ...told, next: told.next ?? othersOf(newest.filter((each) => each !== taken)), run: taken };
}
