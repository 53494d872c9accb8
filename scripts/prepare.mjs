import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { lock } from '../packages/local-stack/process-lock.mjs';
import { generatePrismaClient } from './generate.mjs';
import { installDependencies } from './install.mjs';
import { CommandFailed, dependencyScript, main, ROOT, run } from './root.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Ends at once with the command that is running; as shells report an end by Ctrl-C. */
const interrupt = () => process.exit(130);

const LEAST_NODE = [20, 19];

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1])) return;
  throw new CommandFailed(
    `Postrider needs Node.js ${LEAST_NODE.join('.')} or newer; this is ${process.version} (${process.execPath}).`,
  );
}

/**
 * Does all the set-up that a fresh clone needs: dependencies, the generated database client and, with `build`, the
 * given TypeScript project and what it refers to. What is up to date is left alone. Processes that prepare the same
 * checkout at once take turns.
 */
export async function prepare({ build, say = (line) => process.stderr.write(`${line}\n`) } = {}) {
  checkNode();
  for (const signal of SIGNALS) process.on(signal, interrupt);
  const held = await lock(ROOT, 'prepare', () =>
    say('Waiting for another copy that prepares this checkout …'),
  );
  try {
    await installDependencies(say);
    await generatePrismaClient(say);
    if (build) await buildProject(build, say);
  } finally {
    await held.release();
    for (const signal of SIGNALS) process.off(signal, interrupt);
  }
}

async function buildProject(project, say) {
  if (!existsSync(join(ROOT, 'packages', 'domain', 'dist'))) say('Building …');
  await run(process.execPath, [dependencyScript('typescript/bin/tsc'), '-b', project]);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(() => prepare());
