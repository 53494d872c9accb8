import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ROOT } from '@postrider/local-stack/testing';
import { findOnPath } from '@postrider/rig/servers';

const run = promisify(execFile);

/** Rendered manifests of the chart, by the namespace in which they are created. */
const MANIFESTS = { default: 'default.yaml', everything: 'everything.yaml' } as const;
/** Manifests of other projects, whose definitions a bare API server does not have: chart-schemas.test.ts checks these. */
const OTHERS = /^apiVersion: (?:monitoring\.coreos\.com|keda\.sh)\//m;
const READY_WITHIN_MS = 120_000;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** kubectl with these arguments; rejects with what it printed. */
type Kubectl = (args: readonly string[], input?: string) => Promise<string>;

/** Starts etcd and an API server, which stop with `close`. */
async function startApiServer(binaries: { readonly etcd: string; readonly apiServer: string }) {
  const directory = mkdtempSync(join(tmpdir(), 'postrider-kube-'));
  const [client, peer, secure] = [await freePort(), await freePort(), await freePort()];
  const token = randomBytes(24).toString('hex');
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const file = (name: string, content: string) => {
    writeFileSync(join(directory, name), content, { mode: 0o600 });
    return join(directory, name);
  };
  const started: ChildProcess[] = [];
  let said = '';
  const start = (binary: string, args: readonly string[]) => {
    const child = spawn(binary, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr?.on('data', (chunk) => {
      said = `${said}${chunk}`.slice(-4_000);
    });
    started.push(child);
  };
  start(binaries.etcd, [
    `--data-dir=${join(directory, 'etcd')}`,
    `--listen-client-urls=http://127.0.0.1:${client}`,
    `--advertise-client-urls=http://127.0.0.1:${client}`,
    `--listen-peer-urls=http://127.0.0.1:${peer}`,
  ]);
  start(binaries.apiServer, [
    `--etcd-servers=http://127.0.0.1:${client}`,
    ...[
      '--bind-address=127.0.0.1',
      `--secure-port=${secure}`,
      `--cert-dir=${join(directory, 'certificates')}`,
    ],
    ...['--service-cluster-ip-range=10.0.0.0/24', '--authorization-mode=RBAC'],
    // Nothing here creates the service accounts of namespaces.
    '--disable-admission-plugins=ServiceAccount',
    '--service-account-issuer=https://postrider.test',
    `--service-account-key-file=${file('public.pem', publicKey)}`,
    `--service-account-signing-key-file=${file('private.pem', privateKey)}`,
    `--token-auth-file=${file('tokens.csv', `${token},admin,admin,system:masters\n`)}`,
  ]);
  const kubectl: Kubectl = async (args, input = '') => {
    const called = run('kubectl', [
      ...[`--server=https://127.0.0.1:${secure}`, `--token=${token}`, '--insecure-skip-tls-verify'],
      ...[`--cache-dir=${join(directory, 'cache')}`, '--kubeconfig=/dev/null', ...args],
    ]);
    called.child.stdin?.end(input);
    return (await called).stdout;
  };
  return {
    kubectl,
    async ready() {
      const until = Date.now() + READY_WITHIN_MS;
      while (Date.now() < until) {
        const answer = await kubectl(['get', '--raw=/readyz']).catch(() => '');
        if (answer.startsWith('ok')) return;
        if (started.some(({ exitCode }) => exitCode !== null)) break;
        await delay(500);
      }
      throw new Error(`the API server did not start:\n${said}`);
    },
    async close() {
      for (const child of started.reverse()) {
        const ended = new Promise((resolve) => child.once('exit', resolve));
        if (child.exitCode === null && child.kill()) await ended;
      }
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Creates what a manifest has in a namespace that enforces the restricted pod security standard, twice. */
async function applyTwice(kubectl: Kubectl, name: string, manifest: string): Promise<number> {
  const objects = manifest.split(/^---$/m).filter((text) => /^kind:/m.test(text) && !OTHERS.test(text));
  const input = objects.join('\n---\n');
  await kubectl(['create', 'namespace', name]);
  const standard = ['enforce', 'warn'].map((mode) => `pod-security.kubernetes.io/${mode}=restricted`);
  await kubectl(['label', 'namespace', name, ...standard]);
  const apply = (...more: string[]) =>
    kubectl(
      [
        'apply',
        '--server-side',
        '--warnings-as-errors',
        '--validate=strict',
        `--namespace=${name}`,
        ...more,
        '-f',
        '-',
      ],
      input,
    );
  const versions =
    '--output=jsonpath={range .items[*]}{.kind}/{.metadata.name}={.metadata.resourceVersion}{"\\n"}{end}';
  await apply('--dry-run=server');
  const first = await apply(versions);
  const second = await apply(versions);
  if (first !== second) throw new Error(`a second apply of ${name} changed objects:\n${first}\n${second}`);
  return objects.length;
}

/**
 * Creates the rendered manifests of the chart on a real API server. The binaries are given by the variables KUBE_APISERVER and ETCD;
 * kubectl must be on PATH. Says so and does nothing without them.
 */
export async function proveChartOnApiServer({
  KUBE_APISERVER,
  ETCD,
  PATH = '',
}: NodeJS.ProcessEnv): Promise<void> {
  if (!KUBE_APISERVER || !ETCD || (await findOnPath(PATH, ['kubectl'])) === null) {
    process.stdout.write(
      'Skipped: KUBE_APISERVER and ETCD do not name the binaries, or kubectl is not on PATH (packages/deployment/README.md).\n',
    );
    return;
  }
  const server = await startApiServer({ apiServer: KUBE_APISERVER, etcd: ETCD });
  try {
    await server.ready();
    const version = await server.kubectl(['version', '--output=json']);
    const { gitVersion } = (JSON.parse(version) as { serverVersion: { gitVersion: string } }).serverVersion;
    for (const [name, file] of Object.entries(MANIFESTS)) {
      const manifest = readFileSync(join(ROOT, 'docker/helm/rendered', file), 'utf8');
      const count = await applyTwice(server.kubectl, name === 'default' ? 'usual' : name, manifest);
      process.stdout.write(
        `${file}: ${count} objects created on ${gitVersion} without a warning, unchanged by a second apply\n`,
      );
    }
  } finally {
    await server.close();
  }
}
