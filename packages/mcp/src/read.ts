import { explainMessage, type Postrider } from '@postrider/client';
import { z } from 'zod';
import { tool } from './tool.ts';

/** Rows of a list. Fewer are easier to read, and the result says how to get more. */
const MAX_ROWS = 25;
/** Attempts of a channel that are shown with its state. */
const ATTEMPTS = 10;

const time = (what: string) => z.iso.datetime({ offset: true }).optional().describe(`${what}, RFC 3339.`);

/** The parts of a list that is read in pages, with so many rows by default. */
const pageOf = (rows: number) => ({
  limit: z.number().int().min(1).max(MAX_ROWS).default(rows),
  cursor: z.string().optional().describe('`next_cursor` of the previous result.'),
});

/** The filter on messages of lists and bulk replays. */
export const MESSAGE_FILTER = {
  event_key: z.string().optional().describe('For example order.shipped.'),
  consumer: z.string().optional().describe('The id of a consumer.'),
  status: z
    .enum(['pending', 'delivered', 'partially_delivered', 'failed', 'cancelled', 'unrouted'])
    .optional(),
  recipient_email: z.string().optional().describe('This address, ignoring case.'),
  created_after: time('Accepted at this time or later'),
  created_before: time('Accepted before this time'),
};

/** Fields of messages in lists: without payloads, which can be large. */
const ROW = [
  'message_id',
  'event_key',
  'status',
  'recipient',
  'consumer',
  'schedule_at',
  'created_at',
] as const;

/** Reads all that there is to know about why a message did or did not arrive. */
async function explain({ messages }: Postrider, messageId: string): Promise<unknown> {
  const [message, { delivery_runs: deliveries, has_more: hasMore }] = await Promise.all([
    messages.get(messageId, { explain: 'channels' }),
    messages.deliveries(messageId),
  ]);
  const { sentence, next, nextAt } = explainMessage(message, deliveries);
  return { summary: sentence, next, next_at: nextAt, message, deliveries, has_more: hasMore };
}

export type ReplayFilter = Parameters<Postrider['replays']['create']>[0]['filter'];

/** Further conditions of bulk replays, which must match the same delivery. */
export const RUN_FILTER = {
  run_status: z
    .enum(['failed', 'succeeded', 'cancelled'])
    .optional()
    .describe('The status of the newest delivery.'),
  channel_id: z.string().optional().describe('chn_…'),
  error_code: z.string().optional().describe('For example webhook_http_error.'),
};

/** Tools that change nothing. */
export const READ_TOOLS = {
  find_messages: tool({
    title: 'Find messages',
    description:
      'Finds what was sent: by `text` (an id, an email address, a business id such as an order number, a Message-ID; also the beginning of a ' +
      'name of a channel, template or consumer), or by the other fields. Newest first. Continue with `explain_message`.',
    input: {
      text: z
        .string()
        .min(1)
        .max(320)
        .optional()
        .describe('Search for this; the other fields are then ignored.'),
      ...MESSAGE_FILTER,
      ...pageOf(10),
    },
    call: (postrider, { text, ...query }) =>
      text === undefined ? postrider.messages.pick(ROW).page(query) : postrider.lookup.search({ q: text }),
  }),
  explain_message: tool({
    title: 'Explain what happened to a message',
    description:
      'Says in a sentence whether a message arrived and what happens next, with the channels that took it, the ' +
      'reasons why others did not, and every attempt with the reply of the receiver.',
    input: { message_id: z.string().describe('msg_…') },
    call: (postrider, { message_id: id }) => explain(postrider, id),
  }),
  needs_attention: tool({
    title: 'What needs attention',
    description:
      'Failing and paused channels, failed templates, the backlog, and the quota of the environment.',
    call: (postrider) => postrider.attention.get(),
  }),
  list_channels: tool({
    title: 'List channels and their health',
    description: 'The destinations of the environment with their state, failing ones first.',
    input: pageOf(MAX_ROWS),
    call: (postrider, query) => postrider.channels.page({ ...query, order: 'state' }),
  }),
  get_channel: tool({
    title: 'Read a channel and its newest attempts',
    description: 'The settings and state of a channel, and its newest attempts: by default the failed ones.',
    input: {
      channel_id: z.string().describe('chn_…'),
      outcome: z.enum(['succeeded', 'failed', 'unknown', 'running', 'cancelled']).default('failed'),
    },
    call: async (postrider, { channel_id: id, outcome }) => {
      const channel = await postrider.channels.get(id);
      const { data } = await postrider.channels.attempts(id).page({ outcome, limit: ATTEMPTS });
      return { channel, attempts: data };
    },
  }),
  list_event_types: tool({
    title: 'List event types',
    description: 'The catalogue: event keys with their description, JSON Schema and example.',
    input: pageOf(10),
    call: (postrider, query) => postrider.eventTypes.page(query),
  }),
  preview_template: tool({
    title: 'Preview a template',
    description:
      'Renders the active template of an event key (or the version `template_id`) for a recipient and a payload. Nothing is sent.',
    input: {
      event_key: z
        .string()
        .optional()
        .describe('The event key whose active email template is used; give this or `template_id`.'),
      template_id: z.string().optional().describe('tpl_…'),
      payload: z.record(z.string(), z.unknown()).default({}).describe('The data of the event.'),
      recipient: z.record(z.string(), z.unknown()).optional().describe('For example {"name": "Ada"}.'),
      locale: z.string().optional().describe('For example fr-CA.'),
    },
    call: async (postrider, { event_key: eventKey, template_id: given, ...body }) => {
      const find = {
        active: true,
        channel_kind: 'email',
        limit: 1,
        ...(eventKey && { event_key: eventKey }),
      } as const;
      const id = given ?? (eventKey && (await postrider.templates.page(find)).data[0]?.id);
      if (!id)
        return {
          found: null,
          hint: eventKey
            ? 'No active email template has this event key.'
            : 'Give `event_key` or `template_id`.',
        };
      return postrider.templates.preview(id, body as Parameters<Postrider['templates']['preview']>[1]);
    },
  }),
  usage_and_limits: tool({
    title: 'Usage and limits',
    description: "This month's events and the quota, deliveries by kind, and the limits of the plan.",
    call: async (postrider) => {
      const [usage, limits] = await Promise.all([postrider.usage(), postrider.limits()]);
      return { usage, limits };
    },
  }),
  count_replay: tool({
    title: 'Count what a replay would send again',
    description: 'Counts the messages that match, as `start_replay` would. Nothing is sent.',
    input: { ...MESSAGE_FILTER, ...RUN_FILTER },
    call: (postrider, filter) => postrider.replays.create({ filter: filter as ReplayFilter, dry_run: true }),
  }),
};
