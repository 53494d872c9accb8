import type { ChannelRegistry } from '@postrider/channels';
import type { Page, PagedList } from '@postrider/client';
import { MESSAGE_STATUSES, RUN_STATUSES } from '@postrider/domain';
import { type FieldOption, fieldOption, fieldsIn } from './field-options.ts';
import { collect } from './io.ts';
import { type Columns, table } from './output/table.ts';
import type { Session } from './session.ts';

interface ListOptions {
  readonly limit?: number;
  readonly cursor?: string;
  readonly all?: boolean;
}

type PageQuery = { limit?: number; cursor?: string };

/**
 * What a command with the options of a list does: it prints a page of the list, or all of it, as a table or as the API's own page.
 * @param filters the options that become the query
 * @param sourceOf gets the arguments and options of the command
 */
export const listOf =
  <Query extends PageQuery, Item extends object, Args extends unknown[]>(
    { columns, filters = [] }: { readonly columns: Columns; readonly filters?: readonly FieldOption[] },
    sourceOf: (session: Session, ...args: Args) => PagedList<Query, Item>,
  ) =>
  async (session: Session, ...args: unknown[]): Promise<void> => {
    const options = args.at(-1) as ListOptions;
    const { limit = options.all ? 100 : undefined, cursor } = options;
    const query = {
      ...fieldsIn(filters, options),
      ...(limit && { limit }),
      ...(cursor && { cursor }),
    } as Query;
    const source = sourceOf(session, ...(args as Args));
    const page: Page<Item> = options.all
      ? { data: await collect(source.all(query, session.call)), has_more: false, next_cursor: null }
      : await source.page(query, session.call);
    session.show(page, ({ data }, style) => table(columns, data, style));
    if (page.next_cursor !== null) session.note(`There are more: use --cursor ${page.next_cursor}, or --all`);
  };

/** Filters of messages. */
export const MESSAGE_FILTERS: readonly FieldOption[] = [
  fieldOption('--event-key <key>', 'of this event'),
  fieldOption('--consumer <id>', 'of the consumer with this id of yours'),
  fieldOption('--status <status>', 'messages in this state', { choices: MESSAGE_STATUSES }),
  fieldOption('--to <email>', 'to this address', { field: 'recipient_email' }),
  fieldOption('--after <time>', 'accepted at or after, such as 2026-11-21T00:00:00Z', {
    field: 'created_after',
  }),
  fieldOption('--before <time>', 'accepted before', { field: 'created_before' }),
];

/** Filters of messages and of their delivery runs. */
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
