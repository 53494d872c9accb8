/** The scope of a suppression that applies to all email, in a stream or not. */
export const ALL_STREAMS = 'all';
/** The value for event types without a stream, which cannot be a stream's name. */
const TRANSACTIONAL = 'transactional';

const MAX_STREAM_LENGTH = 64;
const STREAM = /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/;

/** The JSON Schema of a stream's name. */
export const STREAM_SCHEMA = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_STREAM_LENGTH,
  pattern: STREAM.source,
} as const;

/** Whether a text can be a stream's name: lower case, for use in links and CSV files. */
export function isStreamName(text: string): boolean {
  const isReserved = text === ALL_STREAMS || text === TRANSACTIONAL;
  return text.length <= MAX_STREAM_LENGTH && STREAM.test(text) && !isReserved;
}
