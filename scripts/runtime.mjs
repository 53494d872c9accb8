/**
 * Chooses the Node.js that everything after the installation runs on: that of this platform's optional package, whose
 * version package.json pins, otherwise the user's own.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { CommandFailed, onParentLoss, ROOT, SIGNALS } from './root.mjs';

const NODE_PACKAGE = /^node-(linux|darwin|win)-/;

/** Names of operating systems in Node.js packages that differ from `process.platform`. */
const SYSTEMS = { win32: 'win' };

const majorOf = (version) => Number(version.split('.', 1)[0]);
const realPath = (path) => (path && existsSync(path) ? realpathSync(path) : null);

/** The package with Node.js for a platform; `version` is null if there is none. */
function nodePackage(root, platform, arch) {
  const { optionalDependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const name = `node-${SYSTEMS[platform] ?? platform}-${arch}`;
  const [, pinned] = Object.entries(optionalDependencies).find(([each]) => NODE_PACKAGE.test(each));
  const program = platform === 'win32' ? 'node.exe' : 'node';
  const path = join(root, 'node_modules', name, 'bin', program);
  return { name, version: optionalDependencies[name] ?? null, pinned, path };
}

/**
 * Why the package cannot be used, and the remedy; null if it can be used. On musl, npm installs a binary for glibc,
 * which does not run there.
 */
function issueWith({ name, version, pinned, path }) {
  const remedy = `install Node.js ${majorOf(pinned)}`;
  if (version === null) return { reason: `there is no package ${name} with ${pinned}`, remedy };
  if (!existsSync(path)) {
    return {
      reason: `the package ${name} is not installed`,
      remedy: `${remedy}, or the package with "npm ci"`,
    };
  }
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return stdout?.trim() === `v${version}` ? null : { reason: `${path} does not run`, remedy };
}

/** Says that the user's Node.js is used, why, and what the disadvantage is. */
function describeFallback(version, pinned, { reason, remedy }) {
  const cost =
    majorOf(version) < majorOf(pinned)
      ? `It is slower than ${pinned} (Node.js 20 has 40 % less throughput), and 20 gets no security fixes any more`
      : `Postrider is tested and measured on ${pinned}`;
  return `Running on this machine's Node.js ${version}, because ${reason}.\n${cost}: ${remedy}.`;
}

/**
 * Chooses the Node.js to run on. `path` is its binary. `note` names it and, if it is not the pinned one, says what the
 * disadvantage is. A running Node.js of the pinned major version is kept. POSTRIDER_NODE=system selects the user's own;
 * throws CommandFailed for any other value.
 */
export function chooseNode({
  root = ROOT,
  platform = process.platform,
  arch = process.arch,
  execPath = process.execPath,
  version = process.versions.node,
  env = process.env,
} = {}) {
  const packaged = nodePackage(root, platform, arch);
  const isPackaged = (path) => path !== null && path === realPath(packaged.path);
  if (env.POSTRIDER_NODE === 'system') {
    // npm puts the package's binary first on the PATH of scripts; `npm_node_execpath` is what npm itself runs on.
    const own = isPackaged(realPath(execPath)) ? realPath(env.npm_node_execpath) : null;
    if (own !== null && !isPackaged(own)) return { path: own, note: null };
    return { path: execPath, note: `Running on Node.js ${version} (POSTRIDER_NODE=system).` };
  }
  if (env.POSTRIDER_NODE) throw new CommandFailed('POSTRIDER_NODE must be system, or not set.');
  if (majorOf(version) === majorOf(packaged.pinned)) {
    const origin = isPackaged(realPath(execPath)) ? ` from node_modules/${packaged.name}` : '';
    return { path: execPath, note: `Running on Node.js ${version}${origin}.` };
  }
  const issue = issueWith(packaged);
  if (issue === null) return { path: packaged.path, note: null };
  return { path: execPath, note: describeFallback(version, packaged.pinned, issue) };
}

/**
 * Removes npm's link to a binary that does not run here. The link is first on the PATH of scripts, which would otherwise
 * find no working Node.js.
 */
export function removeBrokenNodeLink() {
  const packaged = nodePackage(ROOT, process.platform, process.arch);
  if (!existsSync(packaged.path) || issueWith(packaged) === null) return;
  rmSync(join(ROOT, 'node_modules', '.bin', 'node'), { force: true });
}

/** Ends this process with the exit code or signal of another one. */
function endAs({ code, signal }) {
  if (signal === null) process.exit(code);
  for (const each of SIGNALS) process.removeAllListeners(each);
  process.kill(process.pid, signal);
}

/**
 * Runs this script again with the given binary, which comes first on its PATH, and ends as that run ends. Never
 * resolves. The new process has its own session, so that it gets each signal once: from this process, not also from the
 * terminal.
 */
export function handOver(path) {
  const child = spawn(path, [...process.execArgv, ...process.argv.slice(1)], {
    env: { ...process.env, PATH: [dirname(path), process.env.PATH].filter(Boolean).join(delimiter) },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  onParentLoss(() => child.kill());
  return new Promise((_resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => endAs({ code, signal }));
  });
}
