import { Writable } from 'node:stream';
import { createLogger as createWinston, format, transports } from 'winston';
import { plainFields } from './plain.ts';

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
  /** Takes one line without its end; standard output unless given. */
  write?: (line: string) => void;
};

/**
 * A logger of one JSON object per line: `timestamp` (RFC 3339, UTC), `level`, `service`, `message`, then the
 * fields. A field cannot take the place of those four. What a field may show is bounded and bodies,
 * recipients and secrets are left out by name: see `plain`. Writing never throws.
 */
export function createLogger({ service, level, write = writeToStandardOutput }: LoggerOptions): Logger {
  const winston = createWinston({
    level,
    format: format.json({ deterministic: false }),
    transports: [new transports.Stream({ stream: lineStream(write), eol: '\n' })],
  });
  const withFields = (bound: LogFields): Logger => {
    const at =
      (entryLevel: LoggerOptions['level']): Write =>
      (message, fields = {}) => {
        if (!winston.isLevelEnabled(entryLevel)) return;
        const head = { timestamp: new Date().toISOString(), level: entryLevel, service, message };
        winston.log({ ...head, ...plainFields({ ...bound, ...fields }), ...head });
      };
    return {
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      child: (fields) => withFields({ ...bound, ...fields }),
    };
  };
  return withFields({});
}

function lineStream(write: (line: string) => void): Writable {
  return new Writable({
    decodeStrings: false,
    write(line: string | Buffer, _encoding, done) {
      write(line.toString().trimEnd());
      done();
    },
  });
}

function writeToStandardOutput(line: string): void {
  process.stdout.write(`${line}\n`);
}
