import { setTimeout as pause } from 'node:timers/promises';
import type { Program } from '../supervise.ts';

/** A first start on a busy machine takes some seconds; longer than this it will not come. */
const LIMIT_MS = 60_000;
const PAUSE_MS = 100;
const ANSWER_LIMIT_MS = 2_000;

async function answersOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** Why a program is no use, with what it wrote last. */
export function describeFailure(program: Program, what: string): string {
  return [`${program.name} ${what}.`, ...program.output.lastLines().map((line) => `  ${line}`)].join('\n');
}

/** Resolves when GET `url` answers 2xx; rejects when the program ends before or takes longer than 60 s. */
export async function waitUntilReady(program: Program, url: string): Promise<void> {
  const deadline = Date.now() + LIMIT_MS;
  while (!(await answersOk(url))) {
    if (program.hasEnded()) throw new Error(describeFailure(program, 'ended while starting'));
    if (Date.now() > deadline)
      throw new Error(describeFailure(program, `is not ready after ${LIMIT_MS / 1000} s`));
    await pause(PAUSE_MS);
  }
}
