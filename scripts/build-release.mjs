import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { CommandFailed, ROOT, run, SIGNALS } from './root.mjs';

/** The release that an installation is upgraded from: the one before this. */
export const PREVIOUS_RELEASE = { name: '0.1.0', commit: '040fe8efbf7581b82df7da01dbead901fabf0c45' };

const TARGETS = ['api', 'worker', 'cli'];
const BUILDS = join(ROOT, 'node_modules', '.cache', 'postrider', 'releases');
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];

/** Throws an error that says what to do if the history of this checkout does not have the commit. */
function requireCommit({ name, commit }) {
  const { status } = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT });
  if (status === 0) return;
  throw new CommandFailed(
    [
      `The history of this checkout does not have release ${name} (${commit}), so it cannot be built.`,
      'In a shallow clone, get the history first: git fetch --unshallow',
      'Without git, give the directory of a checkout of that release that is installed and built:',
      '  npm run test:rolling-upgrade -- --release DIRECTORY',
    ].join('\n'),
  );
}

/** Builds the release in a new directory as its Dockerfile does. */
async function assemble({ commit }, directory) {
  const [archive, source] = [join(directory, 'source.tar'), join(directory, 'source')];
  mkdirSync(source);
  await run('git', ['archive', '--format=tar', `--output=${archive}`, commit]);
  await run('tar', ['-xf', archive, '-C', source]);
  const here = { cwd: source, env: { NODE_ENV: 'development' } };
  await run('npm', ['ci', '--include=dev', '--ignore-scripts', ...QUIET], here);
  await run(process.execPath, ['scripts/generate.mjs'], here);
  const compiler = 'node_modules/typescript/bin/tsc';
  await run(process.execPath, [compiler, '-b', 'apps/api', 'apps/worker', 'packages/cli'], here);
  for (const target of TARGETS)
    await run(process.execPath, ['docker/assemble.mjs', target, join(directory, 'artefacts', target)], here);
  return join(directory, 'artefacts');
}

/**
 * Builds a release from the history as its images are built, and returns the directories of its programs:
 * `{ api, worker, cli }`. The result is cached in node_modules/.cache. All other files are removed, also after a failure or
 * a signal.
 */
export async function buildRelease(release, say) {
  const built = join(BUILDS, release.commit);
  if (!existsSync(built)) {
    requireCommit(release);
    say(`Building release ${release.name} from the history, once (some minutes) …`);
    const directory = mkdtempSync(join(tmpdir(), 'postrider-release-'));
    const remove = () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
    const interrupt = () => process.exit(130);
    process.once('exit', remove);
    for (const signal of SIGNALS) process.on(signal, interrupt);
    try {
      const artefacts = await assemble(release, directory);
      const partial = join(dirname(built), `${basename(built)}.${process.pid}`);
      mkdirSync(dirname(built), { recursive: true });
      cpSync(artefacts, partial, { recursive: true, verbatimSymlinks: true });
      renameSync(partial, built);
    } finally {
      for (const signal of SIGNALS) process.off(signal, interrupt);
      process.off('exit', remove);
      remove();
    }
  }
  return Object.fromEntries(TARGETS.map((target) => [target, join(built, target)]));
}
