import { createLogger, type Logger } from '@postrider/telemetry';

type Entry = Record<string, unknown>;

/** A logger whose entries can be read back. */
export function recordingLogger(level: 'error' | 'warn' | 'info' | 'debug' = 'debug'): {
  logger: Logger;
  entries: () => Entry[];
  lines: string[];
} {
  const lines: string[] = [];
  const logger = createLogger({ service: 'test', level, write: (line) => lines.push(line) });
  return { logger, lines, entries: () => lines.map((line) => JSON.parse(line) as Entry) };
}
