import type { ReceivedSend } from '../ledgers.ts';

/** What a receiver does with a send. */
export interface Treatment {
  /** Milliseconds until the answer. */
  readonly delayMs: number;
  readonly answer: ReceivedSend['answer'];
}

/** Chooses the treatment of each send; `path` tells endpoints apart. */
export type Treat = (send: { runId: string; path: string }) => Treatment;

/** Collects what arrived at any receiver. */
export interface SendLedger {
  /** Notes the arrival at once, so that a send counts even if its answer is never given. */
  note(send: Omit<ReceivedSend, 'at'>): void;
  readonly sends: readonly ReceivedSend[];
}

export function createSendLedger(now: () => number = Date.now): SendLedger {
  const sends: ReceivedSend[] = [];
  return {
    sends,
    note: (send) => {
      sends.push({ ...send, at: now() });
    },
  };
}
