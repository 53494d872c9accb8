import type { ChannelRegistry } from '@postrider/channels';
import {
  CHANNEL_REASONS,
  type ChannelExplanation,
  explainChannels,
  type Queryable,
  readMessage,
} from '@postrider/db';
import { formatId, type JsonObject, reject } from '@postrider/domain';
import { type Access, seesContent } from '../access/access.ts';
import { hiddenFrom, withSmallRecipient } from '../access/content.ts';
import { okText, type Success } from '../http/reply.ts';
import { returns } from '../openapi/operation.ts';
import * as json from '../openapi/schema.ts';
import { described, oneOf, type Values } from '../paging/query.ts';
import { countMessage, MESSAGE_EXAMPLE, presentMessage } from './message.ts';

/** The query parameter for details beyond the message record. */
const EXPLAIN = {
  explain: described(
    '`channels` adds which channels took the event, and why the others did not.',
    oneOf(['channels']),
  ),
};

/** What the operations that read a message have in common, see {@link messageReply}. */
export const MESSAGE_READ = {
  scope: 'messages:read',
  memory: countMessage,
  query: EXPLAIN,
  success: returns('Message', MESSAGE_EXAMPLE),
  errors: ['validation_failed'],
} as const;

export const explanationSchema = ({ kinds }: ChannelRegistry): json.Schema =>
  json.list(
    json.record('Whether a channel took the event, and if not, why.', {
      channel_id: json.id('chn', 'The channel.'),
      name: json.text('The name of the channel.'),
      kind: json.oneOf(kinds, 'The kind of the channel.'),
      taken: json.flag('Whether it has deliveries of the message.'),
      reason: json.oneOf(
        CHANNEL_REASONS,
        'The reason by the current configuration. `changed_since`: it would take the event now, but ' +
          'did not then. Without `messages:content` filters are not evaluated: `filtered` then means that it has one.',
      ),
      condition: json.nullable(
        json.text('For `filtered`: JSON Pointer to the first false condition of the filter; otherwise null.'),
      ),
      delivery_run_ids: json.list(
        json.id('run', 'A delivery run.'),
        'Its deliveries of the message, oldest first.',
      ),
    }),
    'The channels of the environment. Only with `explain=channels`.',
  );

function present({ channelId, name, kind, reason, condition, runIds }: ChannelExplanation): JsonObject {
  return {
    channel_id: formatId('chn', channelId),
    name,
    kind,
    taken: runIds.length > 0,
    reason,
    condition,
    delivery_run_ids: runIds.map((runId) => formatId('run', runId)),
  };
}

/**
 * Responds with a message, with details if the query asks for them.
 * @throws RefusedError 404 if there is none
 */
export async function messageReply(
  db: Queryable,
  ids: { readonly environmentId: string; readonly messageId: string },
  { explain }: Values<typeof EXPLAIN>,
  { kinds, access }: { readonly kinds: ChannelRegistry; readonly access: Pick<Access, 'scopes'> },
): Promise<Success> {
  const omit = hiddenFrom(access);
  // Filters need the whole message.
  const message = await readMessage(db, explain ? ids : { ...ids, omit });
  if (!message) reject('message_not_found');
  const payload = omit.includes('payload') ? '{}' : message.payload;
  const shown = presentMessage({ ...withSmallRecipient(access, message), payload });
  if (!explain) return okText(shown);
  const channels = await explainChannels(db, ids.environmentId, message, {
    kinds: kinds.definitions,
    readsContent: seesContent(access),
  });
  return okText({ ...shown, channels: channels.map(present) });
}
