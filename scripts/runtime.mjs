/**
 * Which Node.js everything after the installation runs on: that of the optional package of this platform, whose
 * version package.json pins, and without it the one that the user has.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { CommandFailed, onParentLoss, ROOT, SIGNALS } from './root.mjs';

const NODE_PACKAGE = /^node-(linux|darwin|win)-/;

/** What Node.js packages say of operating systems that `process.platform` calls something else. */
const SYSTEMS = { win32: 'win' };

const majorOf = (version) => Number(version.split('.', 1)[0]);
const realPath = (path) => (path && existsSync(path) ? realpathSync(path) : null);

/** The package that brings Node.js for a platform: `version` is null where there is none. */
function nodePackage(root, platform, arch) {
  const { optionalDependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const name = `node-${SYSTEMS[platform] ?? platform}-${arch}`;
  const [, pinned] = Object.entries(optionalDependencies).find(([each]) => NODE_PACKAGE.test(each));
  const program = platform === 'win32' ? 'node.exe' : 'node';
  const path = join(root, 'node_modules', name, 'bin', program);
  return { name, version: optionalDependencies[name] ?? null, pinned, path };
}

/**
 * Why the package cannot be used, and what helps; null when it can be used. A binary for glibc is installed on musl, and
 * does not run there.
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

/** Says that the user's Node.js is used, why, and what that costs. */
function describeFallback(version, pinned, { reason, remedy }) {
  const cost =
    majorOf(version) < majorOf(pinned)
      ? `It is slower than ${pinned} (Node.js 20 has 40 % less throughput), and 20 gets no security fixes any more`
      : `Postrider is tested and measured on ${pinned}`;
  return `Running on this machine's Node.js ${version}, because ${reason}.\n${cost}: ${remedy}.`;
}

/**
 * Decides which Node.js to run on: `path` is its binary and `note` says which and, if it is not the pinned one, what
 * that costs. A running Node.js of the pinned major version stays. POSTRIDER_NODE=system asks for the user's own.
 * Throws CommandFailed for any other value.
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
    // npm puts the package's binary first on the PATH of scripts, and says what it runs on itself.
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
 * Removes npm's link to a binary that does not run here: npm puts the link first on the PATH of scripts, which would
 * then find no Node.js at all.
 */
export function removeBrokenNodeLink() {
  const packaged = nodePackage(ROOT, process.platform, process.arch);
  if (!existsSync(packaged.path) || issueWith(packaged) === null) return;
  rmSync(join(ROOT, 'node_modules', '.bin', 'node'), { force: true });
}

/** Ends this process as another one has ended. */
function endAs({ code, signal }) {
  if (signal === null) process.exit(code);
  for (const each of SIGNALS) process.removeAllListeners(each);
  process.kill(process.pid, signal);
}

/**
 * Runs this script again with the given binary, which comes first on its PATH, and ends as it ends. Never resolves.
 * The script is in a session of its own, so that it gets each signal once: from here, and not from the terminal, too.
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
