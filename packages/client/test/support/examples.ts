import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));

/** An example that runs until it has seen something. */
interface RunningExample {
  /** All that it wrote to stdout; rejects when it failed. */
  readonly ended: Promise<string>;
}

/** Starts an example as its own text says, and resolves when it has written something. */
export async function startExample(
  name: string,
  args: readonly string[],
  variables: Record<string, string>,
): Promise<RunningExample> {
  const loader = ['--conditions=@postrider/source', '--import', 'tsx'];
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [...loader, `${EXAMPLES}${name}`, ...args], {
    env: { PATH, NODE_COMPILE_CACHE, ...variables },
  });
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const spoke = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
      resolve();
    });
  });
  const ended = new Promise<string>((resolve, reject) => {
    child.once('close', (code) => (code === 0 ? resolve(stdout) : reject(new Error(`${code}: ${stderr}`))));
  });
  await Promise.race([spoke, ended]);
  return { ended };
}

/** Runs an example to its end and resolves with what it wrote to stdout. */
export async function runExample(name: string, variables: Record<string, string>): Promise<string> {
  return (await startExample(name, [], variables)).ended;
}
