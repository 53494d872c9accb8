import { setImmediate } from 'node:timers/promises';
import {
  type EventFilter,
  FilterMeter,
  type JsonObject,
  MAX_FILTER_STEPS,
  matchesEvent,
  withinSteps,
} from '@postrider/domain';
import { consumerSince } from '../channels/consumer-record.ts';
import type { Prisma, Queryable } from '../client.ts';
import { firstUuidAt } from '../first-id-at.ts';
import { fittingPage, jsonBytes, measureRows, type Page } from '../pages.ts';

/** The most messages that a trial examines. */
export const TRIAL_MESSAGES = 1_000;
/** The most messages that are read at once. */
const CHUNK = 20;
/** The most bytes of their texts; the first message may have more. They are parsed one after the other. */
const CHUNK_BYTES = 512 * 1024;
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_MS = 5_000;
/** How long a trial may block the event loop before it yields, in milliseconds. */
const TURN_MS = 10;
const SAMPLES = 10;

/** How a filter would have matched the newest messages of an environment. Ids are UUIDs. */
interface FilterTrial {
  readonly tested: number;
  readonly matched: number;
  readonly notMatched: number;
  /** Messages with event keys that the channel does not subscribe to; the filter is not evaluated for them. */
  readonly notSubscribed: number;
  /** Messages for which the filter would need too many steps. */
  readonly tooLarge: number;
  /** Whether all messages were examined before the limits of bytes and time were reached. */
  readonly isComplete: boolean;
  readonly matchedSamples: readonly string[];
  readonly notMatchedSamples: readonly { readonly messageId: string; readonly condition: string }[];
}

interface Trial {
  readonly environmentId: string;
  /** The consumer that owns the channel, which takes only its messages; null for a channel of the environment. */
  readonly consumerId: string | null;
  readonly eventKeys: readonly string[];
  /** Null matches all. */
  readonly filter: EventFilter | null;
  readonly monotonicMs: () => number;
}

interface Row {
  readonly id: string;
  readonly eventKey: string;
  readonly recipient: string;
  readonly payload: string;
}

/** The first false condition; null if the filter matches, undefined if that needs too many steps. */
function tryFilter(
  filter: EventFilter | null,
  { eventKey, recipient, payload }: Row,
): string | null | undefined {
  if (!filter) return null;
  const event = {
    event_key: eventKey,
    recipient: JSON.parse(recipient) as JsonObject,
    payload: JSON.parse(payload) as JsonObject,
  };
  return withinSteps(() => filter.failing(event, new FilterMeter(MAX_FILTER_STEPS)), undefined);
}

/**
 * The messages before an id that a channel can take: without tests and erased ones. Those of a consumer that was deleted do not
 * belong to a later one with its id.
 */
export async function messagesFor(
  db: Queryable,
  { environmentId, consumerId }: Pick<Trial, 'environmentId' | 'consumerId'>,
  before: string | null = null,
): Promise<Prisma.MessageWhereInput> {
  const since = consumerId === null ? null : await consumerSince(db, { environmentId, id: consumerId });
  return {
    environmentId,
    test: false,
    operational: null,
    erasedAt: null,
    ...(consumerId === null ? {} : { consumerId }),
    id: {
      ...(since && { gte: firstUuidAt(since.getTime()) }),
      ...(before !== null && { lt: before }),
    },
  };
}

const SIZE = measureRows('messages', `${jsonBytes('recipient')} + ${jsonBytes('payload')}`);

/** The next messages, newest first, and the last id if there may be more. */
async function readChunk(
  db: Queryable,
  owner: Pick<Trial, 'environmentId' | 'consumerId'>,
  after: string | null,
): Promise<Page<Row>> {
  const { environmentId } = owner;
  const found = await db.message.findMany({
    where: await messagesFor(db, owner, after),
    select: { id: true },
    orderBy: { id: 'desc' },
    take: CHUNK,
  });
  const all = { rows: found, nextAfter: found.length === CHUNK ? (found.at(-1)?.id ?? null) : null };
  const page = await fittingPage(all, ({ ids }) => SIZE(db, { ids, environmentId, maxBytes: CHUNK_BYTES }));
  const ids = page.rows.map(({ id }) => id);
  const rows = await db.$queryRaw<Row[]>`
    SELECT id, event_key AS "eventKey", recipient::text AS recipient, payload::text AS payload FROM messages
     WHERE environment_id = ${environmentId}::uuid AND id = ANY (${ids}::uuid[])
     ORDER BY id DESC`;
  return { rows, nextAfter: page.nextAfter };
}

/**
 * Evaluates a filter for the newest {@link TRIAL_MESSAGES} messages of an environment or a consumer, in chunks, within limits of
 * bytes and time. It yields to the event loop between chunks.
 */
export async function tryFilterOnMessages(
  db: Queryable,
  { eventKeys, filter, monotonicMs, ...owner }: Trial,
): Promise<FilterTrial> {
  const began = monotonicMs();
  let turnBegan = began;
  let bytes = 0;
  let after: string | null = null;
  const counts = { tested: 0, matched: 0, notMatched: 0, notSubscribed: 0, tooLarge: 0 };
  const matchedSamples: string[] = [];
  const notMatchedSamples: { messageId: string; condition: string }[] = [];

  const look = (row: Row): void => {
    counts.tested += 1;
    if (!matchesEvent(eventKeys, row.eventKey)) {
      counts.notSubscribed += 1;
      return;
    }
    const condition = tryFilter(filter, row);
    if (condition === undefined) counts.tooLarge += 1;
    else if (condition === null) {
      counts.matched += 1;
      if (matchedSamples.length < SAMPLES) matchedSamples.push(row.id);
    } else {
      counts.notMatched += 1;
      if (notMatchedSamples.length < SAMPLES) notMatchedSamples.push({ messageId: row.id, condition });
    }
  };

  for (;;) {
    const chunk: Awaited<ReturnType<typeof readChunk>> = await readChunk(db, owner, after);
    for (const row of chunk.rows) {
      bytes += row.payload.length;
      look(row);
      if (monotonicMs() - turnBegan < TURN_MS) continue;
      await setImmediate();
      turnBegan = monotonicMs();
    }
    after = chunk.nextAfter;
    const isComplete = after === null || counts.tested >= TRIAL_MESSAGES;
    if (isComplete || bytes > MAX_BYTES || monotonicMs() - began > MAX_MS) {
      return { ...counts, isComplete, matchedSamples, notMatchedSamples };
    }
  }
}
