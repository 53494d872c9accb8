import { setTimeout as pause } from 'node:timers/promises';
import { unavailability } from './failure.ts';
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

/** The pause before an unavailable service is asked again. */
const RETRY_MS = 1_000;

/**
 * Asks until the service can be used. Notes once that it is unavailable, and once that it is back. Rejects with any other error, and
 * after Ctrl-C.
 */
export async function untilAvailable<Read>(session: Session, ask: () => Promise<Read>): Promise<Read> {
  for (let isLost = false; ; isLost = true) {
    try {
      const found = await ask();
      if (isLost) session.note('Connected again.');
      return found;
    } catch (error) {
      const why = unavailability(session, error);
      if (!isLost) session.note(`The service is unavailable: ${why} Trying again …`);
      await pause(RETRY_MS, undefined, { signal: session.io.signal });
    }
  }
}

/** Says after Ctrl-C what continues without this process. */
export const sayingWhatContinues = <Result>(session: Session, waiting: Promise<Result>, line: string) =>
  waiting.catch((error: unknown): never => {
    if (session.io.signal.aborted) session.note(line);
    throw error;
  });
