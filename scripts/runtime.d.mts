export interface Choice {
  readonly path: string;
  /** Null when a process with that binary says it itself. */
  readonly note: string | null;
}

export function chooseNode(machine?: {
  readonly root?: string;
  readonly platform?: string;
  readonly arch?: string;
  readonly execPath?: string;
  readonly version?: string;
  readonly env?: NodeJS.ProcessEnv;
}): Choice;

export function removeBrokenNodeLink(): void;

export function handOver(path: string): Promise<never>;
