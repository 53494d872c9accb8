import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { FROM_SOURCES } from '@postrider/rig/servers';
import type { Answer, Handlers } from './helper-process.ts';

/** A process of the benchmark itself: its work does not take time on the threads that are measured. */
export interface Helper<Known extends Handlers> {
  readonly pid: number;
  /** Asks the process a question. Rejects with its error, or if the process has ended. */
  ask<Name extends keyof Known & string>(
    name: Name,
    input: Parameters<Known[Name]>[0],
  ): Promise<Awaited<ReturnType<Known[Name]>>>;
  /** Ends the process and resolves when it has exited. */
  close(): Promise<void>;
}

interface Pending {
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: Error) => void;
}

const isSource = import.meta.url.endsWith('.ts');

const pathOf = (entry: string) =>
  fileURLToPath(new URL(`./${entry}${isSource ? '.ts' : '.js'}`, import.meta.url));

/**
 * Starts a process that answers questions with the `handlers` of `entry`: the path of a module in this package's
 * `src`, without extension. The process ends with this one.
 */
export async function startHelper<Known extends Handlers>(
  entry: string,
  env: NodeJS.ProcessEnv = {},
): Promise<Helper<Known>> {
  const child = fork(pathOf('helper-process'), [pathOf(entry)], {
    execArgv: isSource ? [...FROM_SOURCES] : [],
    env: { ...process.env, NODE_OPTIONS: '', NODE_ENV: 'production', ...env },
    serialization: 'advanced',
  });
  const pending = new Map<number, Pending>();
  let asked = 0;

  child.on('message', (answer: Answer) => {
    const question = pending.get(answer.id);
    pending.delete(answer.id);
    if (answer.ok) question?.resolve(answer.output);
    else question?.reject(new Error(`${entry}: ${answer.message}`));
  });
  const exited = once(child, 'exit');
  void exited.then(([code, signal]) => {
    for (const { reject } of pending.values()) reject(new Error(`${entry} ended (${signal ?? code})`));
    pending.clear();
  });
  await once(child, 'spawn');

  return {
    pid: child.pid ?? 0,
    ask: (name, input) =>
      new Promise((resolve, reject) => {
        if (!child.connected) {
          reject(new Error(`${entry} has ended`));
          return;
        }
        asked += 1;
        pending.set(asked, { resolve: resolve as Pending['resolve'], reject });
        child.send({ id: asked, name, input });
      }),
    async close() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
