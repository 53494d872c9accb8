/** The scope of a suppression that holds for every email, in a stream or not. */
export const ALL_STREAMS = 'all';
/** What an event type without a stream is called. It is no name of a stream. */
const TRANSACTIONAL = 'transactional';

const MAX_STREAM_LENGTH = 64;
const STREAM = /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/;

/** The pattern of a stream's name, for JSON Schema. */
export const STREAM_SCHEMA = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_STREAM_LENGTH,
  pattern: STREAM.source,
} as const;

/** Whether a text can be the name of a stream: lower case, as links and CSV files carry it. */
export function isStreamName(text: string): boolean {
  const isReserved = text === ALL_STREAMS || text === TRANSACTIONAL;
  return text.length <= MAX_STREAM_LENGTH && STREAM.test(text) && !isReserved;
}
