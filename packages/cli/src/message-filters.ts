import type { ChannelRegistry } from '@postrider/channels';
import { MESSAGE_STATUSES, RUN_STATUSES } from '@postrider/domain';
import { type FieldOption, fieldOption } from './field-options.ts';

/** What filters messages. */
export const MESSAGE_FILTERS: readonly FieldOption[] = [
  fieldOption('--event-key <key>', 'of this event'),
  fieldOption('--consumer <id>', 'of this consumer, by your own id of it'),
  fieldOption('--status <status>', 'messages in this state', { choices: MESSAGE_STATUSES }),
  fieldOption('--to <email>', 'to this address', { field: 'recipient_email' }),
  fieldOption('--after <time>', 'accepted at or after, such as 2026-11-21T00:00:00Z', {
    field: 'created_after',
  }),
  fieldOption('--before <time>', 'accepted before', { field: 'created_before' }),
];

/** What filters messages, and one of their delivery runs. */
export const filtersWithRuns = ({ kinds }: ChannelRegistry): readonly FieldOption[] => [
  ...MESSAGE_FILTERS,
  fieldOption('--run-status <status>', 'with a delivery run in this state', {
    choices: RUN_STATUSES,
  }),
  fieldOption('--run-ended-after <time>', 'with a run that ended at or after, such as one that failed'),
  fieldOption('--channel <id>', 'with a run of this channel, chn_…', { field: 'channel_id' }),
  fieldOption('--channel-kind <kind>', 'with a run of this kind of channel', {
    choices: kinds,
  }),
  fieldOption('--error-code <code>', 'with a run whose last error is this, such as webhook_timeout'),
];
