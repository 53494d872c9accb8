import { types } from 'node:util';
import { createLogger as createWinston, format } from 'winston';
import Transport from 'winston-transport';

/** Limits of a log entry, so that its size does not depend on the input of clients. */
const MAX_TEXT = 2_048;
const MAX_STACK = 4_096;
const MAX_DEPTH = 5;
const MAX_ITEMS = 50;

/**
 * Fields that hold input of clients or secrets: they never reach a log line, at any depth.
 */
const NEVER_LOGGED: ReadonlySet<string> = new Set([
  'authorization',
  'body',
  'cookie',
  'html',
  'password',
  'payload',
  'recipient',
  'secret',
  'text',
  'token',
]);

const NOT_LOGGED = '[not logged]';

/**
 * The local part of an email address (RFC 5321 section 4.5.3.1.1: 64 characters at most) before a domain with a
 * dot, or this host. Mail servers quote addresses in their replies, and libraries in their errors. It may have slashes, so
 * a path that ends in an address loses its end; it neither begins nor ends with one, so `/@scope/` stays readable.
 */
const LOCAL_PART =
  /[^\s<>"'(),:;@[\]\\/][^\s<>"'(),:;@[\]\\]{0,63}(?<!\/)@(?=localhost\b|[\p{L}\p{N}-]{1,63}\.[\p{L}\p{N}])/giu;
/** User and password of a URL, such as those of Postgres and Redis; the host says enough. */
const USER_INFO = /:\/\/[^\s/@:]{0,512}:[^\s/@]{0,512}@/g;
const MASK = '***@';
/** The longest address (RFC 5321 section 4.5.3.1: 64 and 255 characters): it is masked before the text is cut. */
const MAX_ADDRESS = 320;

/**
 * Errors of the database layer: their messages, which begin their stacks, can quote stored values and queries.
 */
const QUOTES_VALUES = /^(PrismaClient|DriverAdapterError|StatementError)/;

const framesOf = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .join('\n');

/**
 * The loggable form of a field's value: plain JSON, bounded in depth, items and text, without the local parts of
 * email addresses. Errors keep only name, message, code, stack and cause, because libraries attach requests,
 * bodies and connection settings to theirs.
 */
function plain(value: unknown, depth = 0): unknown {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value === 'string') return cut(value, MAX_TEXT);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object') return undefined;
  if (isError(value)) return plainError(value, depth);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (depth >= MAX_DEPTH) return '[nested too deep]';
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => plain(item, depth + 1));
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  return addPlainFields({}, value as Record<string, unknown>, depth + 1);
}

/** Adds the loggable form of fields to an entry and returns the entry; see `plain`. Existing properties are not overwritten. */
function addPlainFields<Entry extends object>(
  entry: Entry,
  fields: Readonly<Record<string, unknown>>,
  depth = 0,
): Entry {
  const result = entry as Record<string, unknown>;
  for (const key of Object.keys(fields).slice(0, MAX_ITEMS)) {
    const name = cut(key, MAX_TEXT);
    // Assigning it would set the prototype.
    if (name === '__proto__' || Object.hasOwn(result, name)) continue;
    result[name] = NEVER_LOGGED.has(key.toLowerCase()) ? NOT_LOGGED : plain(fields[key], depth);
  }
  return entry;
}

function plainError(error: Error & { code?: unknown }, depth: number): Record<string, unknown> {
  if (depth >= MAX_DEPTH) return { name: error.name };
  const { name, message, code, stack, cause } = error;
  const quotesValues = QUOTES_VALUES.test(name);
  return {
    name,
    message: quotesValues ? NOT_LOGGED : cut(String(message), MAX_TEXT),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(typeof stack === 'string' ? { stack: cut(quotesValues ? framesOf(stack) : stack, MAX_STACK) } : {}),
    ...(cause === undefined ? {} : { cause: plain(cause, depth + 1) }),
    ...(error instanceof AggregateError ? { errors: plain(error.errors, depth + 1) } : {}),
  };
}

/** Errors of another realm (worker threads, vm contexts) fail `instanceof Error`. */
function isError(value: object): value is Error {
  return types.isNativeError(value) || value instanceof Error;
}

/** The beginning of a text, with only the domain of each email address. */
function cut(text: string, length: number): string {
  if (text.length <= length) return masked(text);
  return `${masked(text.slice(0, length + MAX_ADDRESS)).slice(0, length)}… (${text.length} characters)`;
}

/** A text without the local parts of email addresses and without the users and passwords of URLs. */
export function masked(text: string): string {
  if (!text.includes('@')) return text;
  return text.replace(USER_INFO, `://${MASK}`).replace(LOCAL_PART, MASK);
}

export type LogFields = Readonly<Record<string, unknown>>;
type Write = (message: string, fields?: LogFields) => void;

export type Logger = {
  debug: Write;
  info: Write;
  warn: Write;
  error: Write;
  /** A logger that adds `fields` to each of its entries; an entry's own fields win. */
  child(fields: LogFields): Logger;
};

export type LoggerOptions = {
  /** The name of the process, in every entry. */
  service: string;
  /** The least severe level that is written. */
  level: 'error' | 'warn' | 'info' | 'debug';
  /** Writes one line without its line break; by default to standard output. */
  write?: (line: string) => void;
};

/**
 * Creates a logger that writes one JSON object per line: `timestamp` (RFC 3339, UTC), `level`, `service`, `message`,
 * then the fields. Fields cannot replace those four. Their size is limited, and bodies, recipients and secrets are left
 * out by name: see `plain`. Writing never throws.
 */
export function createLogger({ service, level, write = createOutput(service) }: LoggerOptions): Logger {
  const winston = createWinston({
    level,
    format: format.combine(
      format.timestamp(),
      format.printf(({ timestamp, level: entryLevel, message, fields }) =>
        JSON.stringify(
          addPlainFields({ timestamp, level: entryLevel, service, message }, fields as LogFields),
        ),
      ),
    ),
    transports: [new LineTransport(write)],
  });
  const withFields = (bound: LogFields | null): Logger => {
    const at =
      (entryLevel: LoggerOptions['level']): Write =>
      (message, fields = {}) => {
        if (!winston.isLevelEnabled(entryLevel)) return;
        winston.log({ level: entryLevel, message, fields: bound ? { ...bound, ...fields } : fields });
      };
    return {
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      child: (fields) => withFields({ ...bound, ...fields }),
    };
  };
  return withFields(null);
}

/** The property from which winston's transports read an entry's line. */
const LINE = Symbol.for('message');

/** A transport without another stream between winston and the output. */
class LineTransport extends Transport {
  readonly #write: (line: string) => void;

  constructor(write: (line: string) => void) {
    super();
    this.#write = write;
  }

  override log(entry: Record<symbol, unknown>, done: () => void): void {
    this.#write(String(entry[LINE]));
    done();
  }
}

/** How long a line waits for others. */
const GATHER_MS = 10;
/** Bytes that wait until a pipe is read. Further lines are dropped. */
const MAX_UNREAD_BYTES = 1_048_576;

/**
 * Writes the lines of a few milliseconds at once: a line of its own costs a system call, which is more than the line.
 * What is left is written when the process ends, however it ends itself. If the reader has ended or
 * hangs, lines are lost and the process continues. When the reader returns, one line says how many were lost.
 */
function createOutput(service: string): (line: string) => void {
  let lines = '';
  let lost = 0;
  const flush = () => {
    let text = lines;
    lines = '';
    if (process.stdout.writableLength >= MAX_UNREAD_BYTES) {
      lost += text.split('\n').length - 1;
      return;
    }
    if (lost > 0) text = `${lossLine(service, lost)}\n${text}`;
    lost = 0;
    if (text !== '') process.stdout.write(text);
  };
  process.stdout.on('error', () => undefined);
  process.stdout.on('drain', flush);
  process.once('exit', flush);
  return (line) => {
    if (lines === '') setTimeout(flush, GATHER_MS).unref();
    lines += `${line}\n`;
  };
}

function lossLine(service: string, lost: number): string {
  const timestamp = new Date().toISOString();
  const message = 'log lines were lost, because nobody read them';
  return JSON.stringify({ timestamp, level: 'warn', service, message, lines: lost });
}
