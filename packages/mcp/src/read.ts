import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { explainMessage, type Postrider } from '@postrider/client';
import { z } from 'zod';
import { show, showError, type ToolResult } from './result.ts';

/** Rows of a list. Fewer are easier to read, and the result says how to get more. */
const MAX_ROWS = 25;
/** Attempts of a channel that are shown with its state. */
const ATTEMPTS = 10;

const time = (what: string) => z.iso.datetime({ offset: true }).optional().describe(`${what}, RFC 3339.`);

/** The filter on messages of lists and bulk replays. */
export const MESSAGE_FILTER = {
  event_key: z.string().optional().describe('For example order.shipped.'),
  consumer: z.string().optional().describe('The id of a consumer.'),
  status: z
    .enum(['pending', 'delivered', 'partially_delivered', 'failed', 'cancelled', 'unrouted'])
    .optional(),
  recipient_email: z.string().optional().describe('This address, in any case.'),
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

/** Runs a tool; a failed call is a result that says why. */
export const answer = async (call: () => Promise<unknown>): Promise<ToolResult> => {
  try {
    return show(await call());
  } catch (error) {
    return showError(error);
  }
};

/** Tools that change nothing. */
export function registerReadTools(server: McpServer, postrider: Postrider): void {
  const annotations = { readOnlyHint: true, openWorldHint: false };

  server.registerTool(
    'find_messages',
    {
      title: 'Find messages',
      description:
        'Finds what was sent: by `text` (an id, an email address, a business id such as an order number, a Message-ID; also the beginning of a ' +
        'name of a channel, template or consumer), or by the other fields. Newest first. Continue with `explain_message`.',
      inputSchema: {
        text: z
          .string()
          .min(1)
          .max(320)
          .optional()
          .describe('Search for this; the other fields are then ignored.'),
        ...MESSAGE_FILTER,
        limit: z.number().int().min(1).max(MAX_ROWS).default(10),
        cursor: z.string().optional().describe('`next_cursor` of the result before.'),
      },
      annotations,
    },
    ({ text, ...query }) =>
      answer(() =>
        text === undefined ? postrider.messages.pick(ROW).page(query) : postrider.lookup.search({ q: text }),
      ),
  );

  server.registerTool(
    'explain_message',
    {
      title: 'Explain what happened to a message',
      description:
        'Says in a sentence whether a message arrived and what happens next, with the channels that took it or why not, and every attempt with ' +
        'the reply of the receiver.',
      inputSchema: { message_id: z.string().describe('msg_…') },
      annotations,
    },
    ({ message_id: id }) => answer(() => explain(postrider, id)),
  );

  server.registerTool(
    'needs_attention',
    {
      title: 'What needs attention',
      description:
        'Failing and paused channels, failed templates, the backlog, and the quota of the environment.',
      inputSchema: {},
      annotations,
    },
    () => answer(() => postrider.attention.get()),
  );

  server.registerTool(
    'list_channels',
    {
      title: 'List channels and their health',
      description: 'The destinations of the environment with their state, those that fail first.',
      inputSchema: {
        limit: z.number().int().min(1).max(MAX_ROWS).default(MAX_ROWS),
        cursor: z.string().optional().describe('`next_cursor` of the result before.'),
      },
      annotations,
    },
    (query) => answer(() => postrider.channels.page({ ...query, order: 'state' })),
  );

  server.registerTool(
    'get_channel',
    {
      title: 'Read a channel and its newest attempts',
      description:
        'The settings and state of a channel, and its newest attempts: by default the failed ones.',
      inputSchema: {
        channel_id: z.string().describe('chn_…'),
        outcome: z.enum(['succeeded', 'failed', 'unknown', 'running', 'cancelled']).default('failed'),
      },
      annotations,
    },
    ({ channel_id: id, outcome }) =>
      answer(async () => {
        const channel = await postrider.channels.get(id);
        const { data } = await postrider.channels.attempts(id).page({ outcome, limit: ATTEMPTS });
        return { channel, attempts: data };
      }),
  );

  server.registerTool(
    'list_event_types',
    {
      title: 'List event types',
      description: 'The catalogue: event keys with their description, JSON Schema and example.',
      inputSchema: {
        limit: z.number().int().min(1).max(MAX_ROWS).default(10),
        cursor: z.string().optional().describe('`next_cursor` of the result before.'),
      },
      annotations,
    },
    (query) => answer(() => postrider.eventTypes.page(query)),
  );

  server.registerTool(
    'preview_template',
    {
      title: 'Preview a template',
      description:
        'Renders the active template of an event key (or the version `template_id`) for a recipient and a payload. Nothing is sent.',
      inputSchema: {
        event_key: z.string().optional().describe('Its active email template; give this or `template_id`.'),
        template_id: z.string().optional().describe('tpl_…'),
        payload: z.record(z.string(), z.unknown()).default({}).describe('The data of the event.'),
        recipient: z.record(z.string(), z.unknown()).optional().describe('For example {"name": "Ada"}.'),
        locale: z.string().optional().describe('For example fr-CA.'),
      },
      annotations,
    },
    ({ event_key: eventKey, template_id: given, ...body }) =>
      answer(async () => {
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
            hint: 'No active email template has this event key: give `event_key` or `template_id`.',
          };
        return postrider.templates.preview(id, body as Parameters<Postrider['templates']['preview']>[1]);
      }),
  );

  server.registerTool(
    'usage_and_limits',
    {
      title: 'Usage and limits',
      description:
        'Events of the month against the quota of the plan, deliveries by kind, and the limits of the plan.',
      inputSchema: {},
      annotations,
    },
    () =>
      answer(async () => {
        const [usage, limits] = await Promise.all([postrider.usage(), postrider.limits()]);
        return { usage, limits };
      }),
  );

  server.registerTool(
    'count_replay',
    {
      title: 'Count what a replay would send again',
      description: 'Counts the messages that match, as `start_replay` would. Nothing is sent.',
      inputSchema: { ...MESSAGE_FILTER, ...RUN_FILTER },
      annotations,
    },
    (filter) => answer(() => postrider.replays.create({ filter: filter as ReplayFilter, dry_run: true })),
  );
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
