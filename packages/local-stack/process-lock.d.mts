export interface ProcessLock {
  release(): Promise<void>;
}

/** Takes the lock on (`directory`, `purpose`), or returns null when another process has it. */
export function tryLock(directory: string, purpose: string): Promise<ProcessLock | null>;

/** Takes the lock, waiting for it as long as needed; `onWait` is called once when there is a wait. */
export function lock(directory: string, purpose: string, onWait?: () => void): Promise<ProcessLock>;
