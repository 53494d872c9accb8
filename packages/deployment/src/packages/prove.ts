import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Cleanup, startWebhookReceiver } from '@postrider/local-stack';
import { type Program, startProgram } from '@postrider/rig/servers';
import { type InstalledPackages, installPackages } from './install.ts';

const execute = promisify(execFile);
const MB = 1_000_000;

/** A program of the project, which lists the messages with the client. */
const PROGRAM = `
import { createPostrider } from '@postrider/client';
const postrider = createPostrider({ baseUrl: process.argv[2], token: process.argv[3] });
for await (const { event_key } of postrider.messages.all()) console.log(event_key);
`;

/** Starts a command of the project that runs until it is stopped, and resolves when it prints a line that matches. */
async function startCommand(
  { directory, env }: InstalledPackages,
  args: readonly string[],
  ready: RegExp,
  cleanup: Cleanup,
): Promise<Program> {
  const name = `postrider ${args[0]}`;
  const program = await startProgram({
    name,
    command: join(directory, 'node_modules', '.bin', 'postrider'),
    args,
    cwd: directory,
    env,
    stopSignal: 'SIGINT',
    stopTimeoutMs: 60_000,
  });
  cleanup.add(program.stop);
  if (!(await program.output.waitFor(ready)))
    throw new Error(`${name} ended:\n${program.output.lastLines().join('\n')}`);
  return program;
}

/** Sends Ctrl-C. Rejects unless the command then ends with 0. */
async function interrupt(program: Program): Promise<void> {
  await program.stop();
  const { code } = await program.exited;
  if (code !== 0)
    throw new Error(`${program.name} ended with ${code}:\n${program.output.lastLines().join('\n')}`);
}

function expectIn(text: string, expected: RegExp, what: string): void {
  if (!expected.test(text)) throw new Error(`${what}:\n${text}`);
}

/** The variables of the running stack, as `postrider dev` has stored them. */
async function readStack({ directory }: InstalledPackages): Promise<Record<string, string>> {
  return JSON.parse(await readFile(join(directory, '.postrider', '1', 'stack.json'), 'utf8'));
}

/** Listens to the stack with a receiver of this process, and triggers an event. Rejects unless its signature holds. */
async function proveListening(packages: InstalledPackages, secret: string, cleanup: Cleanup): Promise<void> {
  const receiver = await startWebhookReceiver({ secret });
  cleanup.add(receiver.close);
  const listen = ['listen', '--forward-to', receiver.hookUrl];
  const listener = await startCommand(packages, listen, /^Posting /, cleanup);
  const shown = await packages.postrider([
    'trigger',
    'order.shipped',
    '--set',
    'payload.order_id=A-7',
    '--wait',
  ]);
  expectIn(shown, /webhook "listen .*" succeeded/, 'The listener did not get the event');
  const requests = await (await fetch(new URL('/requests', receiver.pageUrl))).text();
  expectIn(requests, /"holds":true/, 'The receiver did not get a request with its signature');
  await interrupt(listener);
  const environment = ['messages', 'list', '--limit', '1', '--json'];
  const [message] = JSON.parse(await packages.postrider(environment)).data;
  const after = await packages.postrider(['trigger', 'order.shipped', '--json']);
  const { delivery_runs: runs } = JSON.parse(after);
  if (runs.length !== message.delivery_runs.length - 1)
    throw new Error(`The channel is still there:\n${after}`);
}

/** Exports the configuration of the stack. Rejects unless it is the same as that of the stack. */
async function proveConfiguration({ postrider }: InstalledPackages): Promise<void> {
  await postrider(['config', 'export', '--out', 'config', '--sections', 'event_types,templates']);
  const difference = await postrider(['config', 'diff', 'config']);
  expectIn(difference, /^No changes\.$/m, 'The exported configuration');
}

/**
 * Uses the packages that npm publishes in a project of their own, with nothing but Node.js: starts the stack, sends the first event,
 * reads it with the client, receives a webhook, and checks the installation. Returns lines with their sizes.
 */
export async function provePackages(cleanup: Cleanup): Promise<string[]> {
  const packages = await installPackages(cleanup);
  const { directory, sizes, env, postrider } = packages;
  const stack = await startCommand(packages, ['dev'], /signed in to it/, cleanup);
  const { DATABASE_URL, POSTRIDER_URL = '', POSTRIDER_TOKEN = '' } = await readStack(packages);
  const migrated = await execute(join(directory, 'node_modules', '.bin', 'postrider'), ['migrate'], {
    env: { ...env, DATABASE_URL },
  });
  expectIn(migrated.stdout, /^up to date$/m, 'The package migrates');
  expectIn(await postrider(['trigger', 'order.shipped', '--wait']), / delivered$/m, 'The first event');
  await writeFile(join(directory, 'read.mjs'), PROGRAM);
  const read = await execute(
    process.execPath,
    [join(directory, 'read.mjs'), POSTRIDER_URL, POSTRIDER_TOKEN],
    { env },
  );
  expectIn(read.stdout, /^order\.shipped$/m, 'The client reads');
  await proveConfiguration(packages);
  await proveListening(packages, env.POSTRIDER_LISTEN_SECRET ?? '', cleanup);
  expectIn(await postrider(['doctor', '--dns-server', '127.0.0.1:9']), /ok +Ready/, 'The doctor says');
  await interrupt(stack);
  return Object.entries(sizes).map(([name, bytes]) => `${name.padEnd(18)}${(bytes / MB).toFixed(1)} MB`);
}
