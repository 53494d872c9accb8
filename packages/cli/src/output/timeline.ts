import { type Attempt, type DeliveryRun, HOLD_REASONS, type Message } from '@postrider/client';
import { type Style, status } from './style.ts';
import { cell, excerpt, plain, time } from './text.ts';

const MARKS: Readonly<Record<Attempt['status'], string>> = {
  running: '…',
  succeeded: '✓',
  failed: '✗',
  cancelled: '–',
  unknown: '?',
};

/** The width of a mark with its blanks, which aligns responses below `attempt`. */
const MARK_WIDTH = 4;

/** Time since the message was accepted, such as `+5.385 s`. */
function offset(from: string, at: string): string {
  return `+${((Date.parse(at) - Date.parse(from)) / 1_000).toFixed(3)} s`;
}

function attemptLine(attempt: Attempt, style: Style): string {
  const { number, sender, duration_ms, response, error_code, error_message } = attempt;
  const parts = [
    `${MARKS[attempt.status]} attempt ${number} ${status(attempt.status, style)}`,
    sender === null ? null : `by ${plain(sender)}`,
    duration_ms === null ? null : `${duration_ms} ms`,
    response === null ? null : `response ${response.status_code}`,
    error_code === null ? null : `${error_code}: ${plain(error_message ?? '')}`,
  ];
  return parts.filter(Boolean).join('  ');
}

/** The senders that the attempt tried before, one per line. */
const triedLines = ({ tried }: Attempt, style: Style): string[] =>
  tried.map(({ sender, outcome, error_code, error_message }) =>
    style.dim(
      `tried before: ${plain(sender)} ${outcome === 'unknown' ? 'unknown, it may be sent twice' : outcome}  ${error_code}: ${plain(error_message)}`,
    ),
  );

/** The copies that the attempt did not reach, one per line. */
const skippedLines = ({ skipped_copies }: Attempt, style: Style): string[] =>
  skipped_copies.map(({ email, outcome, reason }) =>
    style.yellow(`no copy to ${plain(email)}: ${outcome}${reason === null ? '' : `, ${excerpt(reason)}`}`),
  );

/** The provider's feedback on the mail. */
function feedbackLine(
  { type, permanent, reason }: NonNullable<DeliveryRun['feedback']>,
  style: Style,
): string {
  const name = type === 'bounced' && permanent ? 'bounced permanently' : type;
  const text = `${type === 'delivered' ? '✓' : '!'} reported as ${name}`;
  const line = reason === null ? text : `${text}: ${excerpt(reason)}`;
  return type === 'delivered' ? style.green(line) : style.yellow(line);
}

/** The receiver's response, which may be any text, on its own line. */
function replyLine({ response }: Attempt, style: Style): string[] {
  const said = excerpt(response?.body_excerpt ?? '');
  return said === '' ? [] : [style.dim(said)];
}

/** What a run waits for, and for how long where that is known. */
function holdLine(heldBy: NonNullable<DeliveryRun['held_by']>, queue: DeliveryRun['queue']): string {
  const why = `⧗ waits: ${HOLD_REASONS[heldBy]}`;
  if (queue === null) return why;
  const when = queue.expected_at === null ? '' : `, expected at ${time(queue.expected_at)}`;
  return `${why}; ${queue.ahead} others are ahead${when}`;
}

/** Which of a message's replays a run belongs to, as each begins with attempt 1; null for the event itself. */
function replayName({ replay, sequence }: DeliveryRun): string | null {
  if (!replay) return null;
  return sequence === null ? `replay ${replay}` : `retried as replay ${replay}`;
}

/** The time of an event of a run, and one or more lines of text. */
type RunEvent = readonly [at: string, first: string, ...more: string[]];

/** Past and future events of a run in order. */
function eventsOf(run: DeliveryRun, style: Style): readonly RunEvent[] {
  const queued = run.scheduled_at === null ? 'queued' : `scheduled for ${time(run.scheduled_at)}`;
  const began = `○ ${run.trigger === 'replay' ? 'replayed, ' : ''}${queued}`;
  const events: RunEvent[] = [[run.created_at, began]];
  for (const attempt of run.attempts)
    events.push([
      attempt.started_at,
      attemptLine(attempt, style),
      ...triedLines(attempt, style),
      ...skippedLines(attempt, style),
      ...replyLine(attempt, style),
    ]);
  if (run.feedback) events.push([run.feedback.at, feedbackLine(run.feedback, style)]);
  if (run.held_by) {
    const since = run.attempts.at(-1)?.completed_at ?? run.created_at;
    events.push([since, style.yellow(holdLine(run.held_by, run.queue))]);
  }
  if (run.next_attempt_at !== null) events.push([run.next_attempt_at, style.yellow('⧗ next attempt')]);
  return events;
}

function drawRun(run: DeliveryRun, accepted: string, style: Style): string[] {
  const { channel, template } = run;
  const head = [
    `${style.bold(`${channel.kind} ${JSON.stringify(plain(channel.name))}`)} ${status(run.status, style)}`,
    `${run.attempt_count} of ${run.max_attempts} attempts`,
    template === null ? null : `template version ${template.version}`,
    run.sequence ? `sequence ${run.sequence}` : null,
    replayName(run),
    style.dim(run.id),
  ];
  const events = eventsOf(run, style);
  const widest = Math.max(...events.map(([at]) => offset(accepted, at).length));
  return [
    head.filter(Boolean).join('  '),
    ...events.flatMap(([at, text, ...more], index) => {
      const [branch, stem] = index === events.length - 1 ? ['└─', '  '] : ['├─', '│ '];
      const indent = ' '.repeat(widest + MARK_WIDTH);
      return [
        `${branch} ${style.dim(offset(accepted, at).padStart(widest))}  ${text}`,
        ...more.map((line) => `${stem} ${indent}${line}`),
      ];
    }),
  ];
}

/** `Ada <ada@example.com>`, or what there is of it; empty if there is neither. */
function addressee({ name, email }: Message['recipient']): string {
  if (name && email) return `${cell(name)} <${cell(email)}>`;
  return name || email ? cell(name || email) : '';
}

/** A message with its runs and their events, with times since it was accepted. */
export function timeline(
  message: Omit<Message, 'delivery_runs' | 'has_more_runs'>,
  deliveryRuns: readonly DeliveryRun[],
  style: Style,
): string {
  const { id, event_key, recipient, created_at, request_id, test, ordering_key, erased_at } = message;
  const mark = test ? '  (a test)' : '';
  const to = erased_at ? 'somebody' : addressee(recipient);
  const head = [
    `${style.bold(id)}  ${event_key}  ${status(message.status, style)}${mark}`,
    `accepted ${time(created_at)}${to && `, to ${to}`}, request ${cell(request_id)}`,
    ...(ordering_key ? [`ordering key ${cell(ordering_key)}`] : []),
    ...(erased_at ? [style.yellow(`erased ${time(erased_at)}: recipient and payload are gone`)] : []),
  ];
  const runs = deliveryRuns.map((run) => drawRun(run, message.created_at, style).join('\n'));
  return [head.join('\n'), ...runs].join('\n\n');
}
