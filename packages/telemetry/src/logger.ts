import { createLogger as createWinston, format } from 'winston';
import Transport from 'winston-transport';
import { addPlainFields } from './plain.ts';

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
export function createLogger({ service, level, write = createOutput() }: LoggerOptions): Logger {
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

/**
 * Writes the lines of a few milliseconds at once: a line of its own costs a system call, which is more than the line.
 * What is left is written when the process ends, however it ends itself.
 */
function createOutput(): (line: string) => void {
  let lines = '';
  const flush = () => {
    const text = lines;
    lines = '';
    if (text !== '') process.stdout.write(text);
  };
  process.once('exit', flush);
  return (line) => {
    if (lines === '') setTimeout(flush, GATHER_MS).unref();
    lines += `${line}\n`;
  };
}
