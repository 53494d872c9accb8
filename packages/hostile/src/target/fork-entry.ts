import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const FROM_SOURCE = [
  ...['--import', 'tsx', '--conditions=@postrider/source', '--disable-warning=ExperimentalWarning'],
];

/**
 * Starts a module of this package, built or from source, in a process of its own with the priority of this one.
 * @param entry the URL of the module without the ending of its file
 */
export function forkEntry(entry: URL, args: readonly string[] = []): ChildProcess {
  const isSource = import.meta.url.endsWith('.ts');
  return fork(`${fileURLToPath(entry)}.${isSource ? 'ts' : 'js'}`, args, {
    execArgv: isSource ? FROM_SOURCE : [],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
}
