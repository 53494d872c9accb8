import type { SessionCommand } from '../command.ts';
import { type FollowedChange, follow } from '../follow.ts';
import { type Style, status as styled } from '../output/style.ts';
import { time } from '../output/text.ts';

function line({ event, data }: FollowedChange, style: Style): string {
  const state = data.status ?? data.feedback;
  const parts = [
    data.at === undefined ? null : style.dim(time(data.at)),
    event.padEnd(21),
    state === undefined ? null : styled(state.padEnd(9), style),
    data.attempt === undefined ? null : `attempt ${data.attempt}`,
    data.message_id,
    data.delivery_run_id === undefined ? null : style.dim(data.delivery_run_id),
  ];
  return parts.filter(Boolean).join('  ');
}

/** `postrider stream`: follows the changes of an environment as ids and statuses. */
export function addStream(program: SessionCommand): void {
  program
    .add(
      'stream',
      'follow the changes of an environment (ids and statuses) until Ctrl-C, reconnecting as needed. While the ' +
        'service has no room for a stream, it reads the newest messages from time to time; with --json one JSON document per line',
    )
    .inEnvironment()
    .option(
      '--last-event-id <id>',
      'continue after this last_event_id, which --json shows; by default from now on',
    )
    .examples({
      'postrider stream': 'Watch.',
      'postrider stream --json | jq -r \'select(.data.status=="failed") | .data.message_id\'':
        'React to failures.',
    })
    .runs((session, { lastEventId }: { lastEventId?: string }) =>
      follow(session, session.environment(), { lastEventId }, (changes) => {
        for (const change of changes) session.showLine(change, line);
      }),
    );
}
