import { setTimeout as pause } from 'node:timers/promises';
import type { Session } from './session.ts';

/** Short enough to look live, long enough for the rate limit of a small plan. */
const POLL_MS = 500;

/** Reads until what was read is over. Ctrl-C ends the wait. */
export async function poll<Read>(
  { io }: Session,
  read: () => Promise<Read>,
  isOver: (found: Read) => boolean,
): Promise<Read> {
  for (;;) {
    const found = await read();
    if (isOver(found)) return found;
    await pause(POLL_MS, undefined, { signal: io.signal });
  }
}

/** Says after Ctrl-C what continues without this process. */
export const sayingWhatContinues = <Result>(session: Session, waiting: Promise<Result>, line: string) =>
  waiting.catch((error: unknown): never => {
    if (session.io.signal.aborted) session.note(line);
    throw error;
  });
