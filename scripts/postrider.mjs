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

/** The environment of the first copy that runs from this checkout; empty if none does. */
async function runningStack() {
  const slots = existsSync(LOCAL) ? (await readdir(LOCAL)).sort((a, b) => a - b) : [];
  for (const slot of slots) {
    const file = join(LOCAL, slot, 'stack.json');
    if (existsSync(file) && (await isRunning(slot))) return JSON.parse(readFileSync(file, 'utf8'));
  }
  return {};
}

/**
 * npm run postrider: the command line. Variables that are not set are those of the copy that npm start runs from this
 * checkout, unless POSTRIDER_URL names another installation, which has other tokens.
 */
await main(async () => {
  await prepare({ build: 'packages/cli', say: () => undefined });
  if (!process.env.POSTRIDER_URL) {
    for (const [name, value] of Object.entries(await runningStack())) process.env[name] ||= value;
  }
  await import(join(ROOT, 'packages', 'cli', 'dist', 'main.js'));
  return process.exitCode;
});
