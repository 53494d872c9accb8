import { setTimeout as pause } from 'node:timers/promises';

const LIMIT_MS = 30_000;

/** Resolves when the condition holds; rejects when it does not within 30 s. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + LIMIT_MS;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`does not hold after ${LIMIT_MS} ms: ${condition}`);
    await pause(50);
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
