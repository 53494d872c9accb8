import type { StreamChange, StreamPosition } from '@postrider/db';
import { formatId, formatTime, type SecretBox } from '@postrider/domain';

/** Milliseconds after which a client reconnects. */
const RETRY_MS = 2_000;

/** The start of a stream. */
export const GREETING = `retry: ${RETRY_MS}\n\n`;

/** The longest text that is parsed as a position. A position names the open transactions. */
const MAX_POSITION = 8 * 1024;

const NAMES = {
  message: 'message.accepted',
  run: 'delivery_run.updated',
  attempt: 'attempt.finished',
  feedback: 'delivery_run.feedback',
} as const satisfies Record<StreamChange['kind'], string>;

export const STREAM_EVENTS = [...Object.values(NAMES), 'reset', 'heartbeat'] as const;

const boundTo = (environmentId: string) => `stream:${environmentId}`;

/**
 * A position for clients. It is encrypted, because it reveals how many transactions all tenants make, and bound to
 * its environment.
 */
export function encryptPosition(
  secretBox: SecretBox,
  { environmentId, snapshot, at }: StreamPosition,
): string {
  return secretBox.encrypt(`${at.toISOString()} ${snapshot}`, boundTo(environmentId));
}

/** The position that a client sends; null for a text that is not a position of this environment. */
export function decryptPosition(
  secretBox: SecretBox,
  environmentId: string,
  text: string,
): StreamPosition | null {
  if (text.length > MAX_POSITION) return null;
  const decrypted = secretBox.decrypt(text, boundTo(environmentId));
  if (!decrypted.ok) return null;
  const [at = '', snapshot = ''] = decrypted.plaintext.split(' ');
  return { environmentId, snapshot, at: new Date(at) };
}

function dataOf({ kind, messageId, runId, channelId, status, number, at }: StreamChange): string {
  return JSON.stringify({
    message_id: formatId('msg', messageId),
    ...(runId !== null && { delivery_run_id: formatId('run', runId) }),
    ...(channelId !== null && { channel_id: formatId('chn', channelId) }),
    ...(number !== null && { attempt: number }),
    ...(status !== null && { [kind === 'feedback' ? 'feedback' : 'status']: status }),
    at: formatTime(at),
  });
}

/** Says that the stream has read all changes up to `at`, and where the client would continue. Also keeps the connection alive. */
export function formatHeartbeat(position: string, at: Date): string {
  return `id: ${position}\nevent: heartbeat\ndata: {"at":"${formatTime(at)}"}\n\n`;
}

/**
 * The text for the changes of one read; null tells the client to read the lists again. The position comes with the
 * last event, so that a client that got only a part of it gets all of it again.
 */
export function formatEvents(changes: readonly StreamChange[] | null, position: string): string {
  if (changes === null) return `id: ${position}\nevent: reset\ndata: {}\n\n`;
  const events = changes.map((change) => `event: ${NAMES[change.kind]}\ndata: ${dataOf(change)}\n\n`);
  const last = events.pop() ?? '';
  return `${events.join('')}id: ${position}\n${last}`;
}
