import type { ChannelRegistry } from '@postrider/channels';
import type { MessageFilter } from '@postrider/client';
import { type Command, Option } from 'commander';
import { given } from './values.ts';

const MESSAGE_STATUSES = ['pending', 'delivered', 'partially_delivered', 'failed', 'cancelled', 'unrouted'];
const RUN_STATUSES = ['scheduled', 'queued', 'running', 'retrying', 'succeeded', 'failed', 'cancelled'];

export interface FilterOptions {
  readonly eventKey?: string;
  readonly consumer?: string;
  readonly status?: MessageFilter['status'];
  readonly to?: string;
  readonly after?: string;
  readonly before?: string;
  readonly runStatus?: MessageFilter['run_status'];
  readonly runEndedAfter?: string;
  readonly channel?: string;
  readonly channelKind?: MessageFilter['channel_kind'];
  readonly errorCode?: MessageFilter['error_code'];
}

export function withMessageFilters(command: Command): Command {
  return command
    .option('--event-key <key>', 'of this event')
    .option('--consumer <id>', 'of this consumer, by your own id of it')
    .addOption(new Option('--status <status>', 'messages in this state').choices(MESSAGE_STATUSES))
    .option('--to <email>', 'to this address')
    .option('--after <time>', 'accepted at or after, such as 2026-11-21T00:00:00Z')
    .option('--before <time>', 'accepted before');
}

/** Options that filter messages, and one of their delivery runs. */
export function withFilters(command: Command, { kinds }: ChannelRegistry): Command {
  return withMessageFilters(command)
    .addOption(new Option('--run-status <status>', 'with a delivery run in this state').choices(RUN_STATUSES))
    .option('--run-ended-after <time>', 'with a run that ended at or after, such as one that failed')
    .option('--channel <id>', 'with a run of this channel, chn_…')
    .addOption(new Option('--channel-kind <kind>', 'with a run of this kind of channel').choices(kinds))
    .option('--error-code <code>', 'with a run whose last error is this, such as webhook_timeout');
}

/** The given filter in the API's form. */
export function filterOf(options: FilterOptions): MessageFilter {
  return given({
    event_key: options.eventKey,
    consumer: options.consumer,
    status: options.status,
    recipient_email: options.to,
    created_after: options.after,
    created_before: options.before,
    run_status: options.runStatus,
    run_ended_after: options.runEndedAfter,
    channel_id: options.channel,
    channel_kind: options.channelKind,
    error_code: options.errorCode,
  });
}
