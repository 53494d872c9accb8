import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { tryLock } from '../packages/local-stack/process-lock.mjs';
import { prepare } from './prepare.mjs';
import { main, ROOT } from './root.mjs';

const LOCAL = process.env.POSTRIDER_LOCAL_DIR || join(ROOT, '.local');

/** Whether a running npm start holds this slot. The files alone do not say: a killed copy leaves them behind. */
async function isRunning(slot) {
  const held = await tryLock(LOCAL, `slot-${slot}`);
  await held?.release();
  return held === null;
}

/** The environments of the copies that run from this checkout, the first one first. */
async function runningStacks() {
  const slots = existsSync(LOCAL) ? (await readdir(LOCAL)).sort((a, b) => a - b) : [];
  const stacks = [];
  for (const slot of slots) {
    const file = join(LOCAL, slot, 'stack.json');
    if (existsSync(file) && (await isRunning(slot))) stacks.push(JSON.parse(readFileSync(file, 'utf8')));
  }
  return stacks;
}

const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]'];

/** The port of an address on this machine; null for any other. */
function localPort(address) {
  if (!URL.canParse(address)) return null;
  const { protocol, hostname, port } = new URL(address);
  return protocol === 'http:' && THIS_MACHINE.includes(hostname) ? port || '80' : null;
}

/** The address that the command line or the environment names; undefined for none. */
function namedAddress(args) {
  const at = args.findLastIndex((arg) => /^--api-url(?:=|$)/.test(arg));
  if (at < 0) return process.env.POSTRIDER_URL || undefined;
  return args[at].includes('=') ? args[at].slice('--api-url='.length) : args[at + 1];
}

/** Sets the variables that are not set to those of a copy. Another installation has other tokens, and must not see these. */
async function useRunningStack(args) {
  const stacks = await runningStacks();
  const address = namedAddress(args);
  const isNamed = ({ POSTRIDER_URL: own }) => address === undefined || localPort(address) === localPort(own);
  const stack = stacks.find(isNamed);
  if (stack) {
    for (const [name, value] of Object.entries(stack)) process.env[name] ||= value;
    return;
  }
  if (stacks.length === 0 || process.env.ADMIN_TOKEN || process.env.POSTRIDER_TOKEN) return;
  const running = stacks.map(({ POSTRIDER_URL: own }) => own).join(', ');
  process.stderr.write(
    `The tokens of npm start (${running}) are not used, because POSTRIDER_URL or --api-url names another installation.\n`,
  );
}

/**
 * npm run postrider: the command line. Variables that are not set are those of the copy that npm start runs from this
 * checkout, unless POSTRIDER_URL or --api-url names another installation.
 */
await main(async () => {
  await prepare({ build: 'packages/cli', say: () => undefined });
  await useRunningStack(process.argv.slice(2));
  await import(join(ROOT, 'packages', 'cli', 'dist', 'main.js'));
  return process.exitCode;
});
