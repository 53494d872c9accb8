import { waitFor } from '@postrider/rig';

/** Resolves when the condition is true; rejects if it is not within 30 s. */
export const eventually = (condition: () => boolean | Promise<boolean>): Promise<boolean> =>
  waitFor(`${condition}`, condition);

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
