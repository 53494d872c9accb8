import type { Postrider } from '@postrider/client';
import { z } from 'zod';
import { MESSAGE_FILTER, type ReplayFilter, RUN_FILTER } from './read.ts';
import { tool } from './tool.ts';

/** Tools that send something or change something. */
export const WRITE_TOOLS = {
  replay_message: tool({
    title: 'Send a message again',
    description:
      'Delivers a message again with the current channels and templates. Counts 1 against the quota.',
    input: {
      message_id: z.string().describe('msg_…'),
      channels: z.array(z.string()).min(1).max(100).optional().describe('Only to these channels, chn_….'),
    },
    call: (postrider, { message_id: id, channels }) =>
      postrider.messages.replay(id, channels ? { channels } : {}),
  }),
  start_replay: tool({
    title: 'Send all matching messages again',
    description:
      'Starts a bulk replay of the messages that match. Call `count_replay` with the same filter first, and pass its number: it is refused if ' +
      'more match.',
    input: {
      ...MESSAGE_FILTER,
      ...RUN_FILTER,
      expected: z.number().int().min(1).describe('What `count_replay` counted.'),
      messages_per_second: z.number().int().min(1).max(500).default(50),
    },
    call: async (postrider, { expected, messages_per_second, ...given }) => {
      const filter = given as ReplayFilter;
      const { matched, matched_is_lower_bound: isMore } = await postrider.replays.create({
        filter,
        dry_run: true,
      });
      if (matched === null || matched > expected || isMore) {
        return {
          started: false,
          matched,
          why: 'More messages match than expected: count again, and ask the person.',
        };
      }
      return postrider.replays.create({ filter, messages_per_second });
    },
  }),
  send_test: tool({
    title: 'Send a test through a channel',
    description: 'Sends one test event through a channel, whether or not it takes the event key.',
    input: {
      channel_id: z.string().describe('chn_…'),
      event_key: z.string().optional().describe('Whose template is used.'),
      recipient: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('For email: {"email": "ada@example.com"}.'),
      payload: z.record(z.string(), z.unknown()).optional(),
    },
    call: (postrider, { channel_id: id, ...body }) =>
      postrider.channels.test(id, body as Parameters<Postrider['channels']['test']>[1]),
  }),
  cancel_message: tool({
    title: 'Cancel the scheduled deliveries of a message',
    description:
      'Cancels the deliveries of a message that have not started. They cannot be started again, but the message can be replayed.',
    input: { message_id: z.string().describe('msg_…') },
    isDestructive: true,
    call: (postrider, { message_id: id }) => postrider.messages.cancel(id),
  }),
};
