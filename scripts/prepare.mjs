import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { lock } from '../packages/local-stack/process-lock.mjs';
import { buildSites } from './build-sites.mjs';
import { bundleServices } from './bundle.mjs';
import { generatePrismaClient } from './generate.mjs';
import { installDependencies } from './install.mjs';
import { CommandFailed, dependencyScript, endWithParent, main, ROOT, run, SIGNALS } from './root.mjs';
import { chooseNode, handOver } from './runtime.mjs';

/** Exits at once, together with the running command, with the code by which shells report Ctrl-C. */
const interrupt = () => process.exit(130);

const MIN_NODE = [20, 19];

/** The value of `build` for everything, including the sites and the bundles. */
const WHOLE_PROJECT = '.';

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1])) return;
  throw new CommandFailed(
    `Postrider needs Node.js ${MIN_NODE.join('.')} or newer; this is ${process.version} (${process.execPath}).`,
  );
}

/** Installs the dependencies, chooses the Node.js to run on and, if that is this one, generates and builds. */
async function setUp({ build, beforeBuild, say }) {
  await installDependencies(say);
  const node = chooseNode();
  if (node.note) say(node.note);
  if (node.path !== process.execPath) return node;
  await generatePrismaClient(say);
  await beforeBuild?.();
  if (build) await buildProject(build, say);
  return node;
}

/**
 * Does the complete set-up of a fresh clone: dependencies, the generated database client and, with `build`, the given
 * TypeScript project and its references, once `beforeBuild` has resolved. Skips what is up to date. Processes that prepare the same checkout at the same
 * time take turns. Does not return if the script must run on another Node.js (scripts/runtime.mjs): the script then
 * runs on that one from the beginning, and this process ends as that one ends.
 */
export async function prepare({
  build,
  beforeBuild,
  say = (line) => process.stderr.write(`${line}\n`),
} = {}) {
  checkNode();
  endWithParent();
  for (const signal of SIGNALS) process.on(signal, interrupt);
  const held = await lock(ROOT, 'prepare', () =>
    say('Waiting for another copy that prepares this checkout …'),
  );
  let node;
  try {
    node = await setUp({ build, beforeBuild, say });
  } finally {
    await held.release();
    for (const signal of SIGNALS) process.off(signal, interrupt);
  }
  if (node.path !== process.execPath) await handOver(node.path);
}

async function buildProject(project, say) {
  if (!existsSync(join(ROOT, 'packages', 'domain', 'dist'))) say('Building …');
  await run(process.execPath, [dependencyScript('typescript/bin/tsc'), '-b', project]);
  if (project !== WHOLE_PROJECT) return;
  await buildSites();
  await bundleServices();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(() => prepare());
