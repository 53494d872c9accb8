import type { Statement } from './statements.ts';

/** What one execution of a statement may cost. A buffer is a page of 8 KiB that PostgreSQL looks at. */
interface Bound {
  readonly buffers: number;
  readonly ms: number;
}

/** For every statement without a bound of its own. */
const USUAL: Bound = { buffers: 2_000, ms: 20 };

interface OwnBound extends Bound {
  readonly statement: RegExp;
  readonly why: string;
}

/** Statements that may cost more. Each bound holds for any number of messages. */
const BOUNDS: readonly OwnBound[] = [
  {
    statement: /^SELECT environments\.id AS "environmentId", figures\.stream/,
    buffers: 10_000,
    ms: 40,
    why: 'adds up the figures of a day of the ten environments with the most complaints',
  },
  {
    statement: /^WITH candidate AS/,
    buffers: 14_000,
    ms: 60,
    why: 'a chunk of a search looks at 2,000 messages and their runs, of each six pages where the index has four levels',
  },
  {
    statement: /^SELECT scope\.id AS "environmentId"/,
    buffers: 4_000,
    ms: 40,
    why: 'what needs attention in at most 100 environments, with up to 100 due runs of each',
  },
  {
    statement: /^WITH matched AS/,
    buffers: 8_000,
    ms: 60,
    why: 'a look-up looks into each environment, for a business id twice',
  },
  {
    statement:
      /^SELECT id FROM (?:\(SELECT id FROM messages |messages WHERE environment_id = \$1::uuid ORDER BY id DESC OFFSET)/,
    buffers: 10_000,
    ms: 150,
    why: 'compares the ends of 100,000 ids in an index, and looks at the pages of messages that were changed since the last vacuum',
  },
  {
    statement: /^SELECT channel\.id, hours\.hours/,
    buffers: 60_000,
    ms: 150,
    why: 'the newest attempt among up to 2,000 runs of each channel, 20,000 in all, and the figures of 24 hours of each',
  },
  {
    statement: /^SELECT asked\.channel_id AS "channelId", state, reason/,
    buffers: 60_000,
    ms: 150,
    why: 'counts up to 50,000 held runs of all channels that are read',
  },
  {
    statement: /^WITH run AS MATERIALIZED/,
    buffers: 12_000,
    ms: 60,
    why: 'a chunk of the attempts of a channel looks at 1,000 runs and their attempts',
  },
  {
    statement: /^WITH RECURSIVE (?:waiting|first)/,
    buffers: 10_000,
    ms: 60,
    why: 'five for each channel with waiting runs',
  },
  {
    statement: /^WITH asked AS/,
    buffers: 6_000,
    ms: 60,
    why: 'claims up to 24 runs of each of up to 64 channels, each with an attempt, or ends up to 128',
  },
  {
    statement: /^WITH oldest AS/,
    buffers: 8_000,
    ms: 60,
    why: 'decides on 500 held runs before a probe, each with its message and its channel',
  },
  {
    statement: /^WITH closing AS/,
    buffers: 6_000,
    ms: 60,
    why: 'writes the results of up to 128 attempts, more at once the slower the machine is',
  },
  {
    statement: /^SELECT (?:waiting\.entry_id|link\.sequence|entry\.id, NOT EXISTS)/,
    buffers: 6_000,
    ms: 100,
    why: 'chains or checks 500 audit entries, each found in two or three indexes and hashed',
  },
  {
    statement: /^DELETE FROM idempotency_records/,
    buffers: 10_000,
    ms: 60,
    why: 'removes 1,000 responses that have expired, which are more the longer the filling took',
  },
  {
    statement: /^WITH taken AS/,
    buffers: 10_000,
    ms: 60,
    why: 'folds 1,000 rows that triggers have counted, up to ten for each',
  },
  {
    statement: /^WITH reader AS/,
    buffers: 30_000,
    ms: 40,
    why: 'streams read the newest 500 messages and 2,000 runs of each watched environment',
  },
  {
    statement: /^WITH target AS \( SELECT id, status, attempt_count/,
    buffers: 40_000,
    ms: 200,
    why: 'ends 1,000 runs, each with an attempt',
  },
  {
    statement: /^WITH target AS MATERIALIZED \( SELECT id FROM messages/,
    buffers: 10_000,
    ms: 100,
    why: 'erases 200 messages with runs and attempts',
  },
  {
    statement: /^SELECT id, recipient_email AS email FROM message/,
    buffers: 4_000,
    ms: 40,
    why: 'finds 200 messages to erase',
  },
  {
    statement: /^SELECT id FROM messages .* FOR UPDATE SKIP LOCKED$/,
    buffers: 4_000,
    ms: 40,
    why: 'locks 200 messages to erase',
  },
];

const boundOf = ({ text }: Statement): Bound => BOUNDS.find(({ statement }) => statement.test(text)) ?? USUAL;

/** How a statement exceeds its bound; null if it does not. Times only count where the machine is idle. */
export function excessOf(
  statement: Statement,
  { checksTimes }: { readonly checksTimes: boolean },
): string | null {
  const bound = boundOf(statement);
  const over = [
    ...(statement.buffers > bound.buffers
      ? [`${statement.buffers} buffers instead of ${bound.buffers}`]
      : []),
    ...(checksTimes && statement.ms > bound.ms ? [`${statement.ms} ms instead of ${bound.ms}`] : []),
  ];
  return over.length === 0 ? null : over.join(', ');
}

/** Bounds that no statement of the run needed, which are then to be removed. */
export const unusedBounds = (statements: readonly Statement[]): string[] =>
  BOUNDS.filter(({ statement }) => !statements.some(({ text }) => statement.test(text))).map(
    ({ why }) => why,
  );
