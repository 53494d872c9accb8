import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheDirectoryOf, type DebianPackage, type Found, unpackDebian } from './fetch-debian.ts';
import { chooseFreePort } from './free-port.ts';
import { type Program, startProgram } from './supervise.ts';

const RABBITMQ: DebianPackage = {
  packageName: 'rabbitmq-server',
  // Erlang loads its modules from its own directory alone.
  unpack: /^(?:rabbitmq-server|erlang-.*)$/,
  markers: ['usr/lib/rabbitmq/bin/rabbitmq-server', 'usr/lib/erlang/bin/start_sasl.boot'],
};
const READY = /Server startup complete/;
/** Bundled libraries that are left out, except for those that the broker needs: each makes the start slower. */
const PLUGINS = /^(?:rabbitmq_|cow|prometheus|README)/;
const NEEDED = /^rabbitmq_prelaunch/;

/** A RabbitMQ node with the user `guest` and the password `guest`. */
export interface RabbitMq {
  readonly port: number;
  /** The port for TLS; null if it was started without. */
  readonly tlsPort: number | null;
  /** Sets or clears the alarm for memory, during which the broker reads nothing from connections that have published. */
  setMemoryAlarm(isOn: boolean): Promise<void>;
  stop(): Promise<void>;
}

interface RabbitMqOptions {
  /** A certificate, its key and the certificate of its authority, in PEM. */
  readonly tls?: { readonly certificate: string; readonly privateKey: string; readonly ca: string };
}

/** The root directory of the unpacked Debian or Ubuntu package, with Erlang. */
export const findRabbitMq = (): Promise<Found<string>> =>
  unpackDebian(RABBITMQ, join(cacheDirectoryOf(process.env), 'rabbitmq'));

async function only(directory: string, prefix: RegExp): Promise<string> {
  const found = (await readdir(directory)).find((name) => prefix.test(name));
  if (found === undefined) throw new Error(`${directory} has nothing like ${prefix}`);
  return join(directory, found);
}

/** Writes the settings as Erlang terms. The texts contain no characters that need quoting. */
async function writeConfig(directory: string, tls: RabbitMqOptions['tls'], tlsPort: number): Promise<void> {
  if (!tls) return writeFile(join(directory, 'advanced.config'), '[].\n');
  const files = { ca: tls.ca, certificate: tls.certificate, key: tls.privateKey };
  for (const [name, pem] of Object.entries(files)) await writeFile(join(directory, `${name}.pem`), pem);
  const file = (name: string) => `"${join(directory, `${name}.pem`)}"`;
  const options = `{cacertfile, ${file('ca')}}, {certfile, ${file('certificate')}}, {keyfile, ${file('key')}}`;
  await writeFile(
    join(directory, 'advanced.config'),
    `[{rabbit, [{ssl_listeners, [{"127.0.0.1", ${tlsPort}}]}, {ssl_options, [${options}]}]}].\n`,
  );
}

/**
 * Starts RabbitMQ from the package at `root`, with its own port mapper, because Erlang would leave one running. It
 * needs neither root nor an installation.
 */
export async function startRabbitMq(root: string, { tls }: RabbitMqOptions = {}): Promise<RabbitMq> {
  const directory = await mkdtemp(join(tmpdir(), 'postrider-rabbitmq-'));
  const [port, tlsPort, mapperPort, distributionPort] = await Promise.all([
    chooseFreePort(),
    chooseFreePort(),
    chooseFreePort(),
    chooseFreePort(),
  ]);
  const erlang = join(root, 'usr/lib/erlang');
  const programs = join(await only(erlang, /^erts-/), 'bin');
  const home = await only(join(root, 'usr/lib/rabbitmq/lib'), /^rabbitmq_server-/);
  const libraries = join(directory, 'libraries');
  await mkdir(libraries);
  for (const name of await readdir(join(home, 'plugins'))) {
    if (NEEDED.test(name) || !PLUGINS.test(name))
      await symlink(join(home, 'plugins', name), join(libraries, name));
  }
  await writeConfig(directory, tls, tlsPort);
  const env = {
    PATH: `${programs}:${join(erlang, 'bin')}:${process.env.PATH ?? ''}`,
    HOME: directory,
    LANG: 'C.UTF-8',
    ROOTDIR: erlang,
    BINDIR: programs,
    EMU: 'beam',
    PROGNAME: 'erl',
    ERL_LIBS: libraries,
    ERL_EPMD_PORT: String(mapperPort),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    ERL_CRASH_DUMP_SECONDS: '0',
    RABBITMQ_HOME: home,
    RABBITMQ_PLUGINS_DIR: libraries,
    RABBITMQ_ENABLED_PLUGINS_FILE: join(directory, 'enabled_plugins'),
    RABBITMQ_ADVANCED_CONFIG_FILE: join(directory, 'advanced.config'),
    RABBITMQ_MNESIA_BASE: join(directory, 'mnesia'),
    RABBITMQ_LOG_BASE: join(directory, 'log'),
    RABBITMQ_LOGS: '-',
    RABBITMQ_PID_FILE: join(directory, 'pid'),
    RABBITMQ_NODENAME: `postrider-${port}@localhost`,
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_NODE_PORT: String(port),
    RABBITMQ_DIST_PORT: String(distributionPort),
  };
  const started: Program[] = [];
  const stop = async () => {
    for (const program of started.reverse()) await program.kill();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    const common = { cwd: directory, env, removeWhenOrphaned: [directory] };
    started.push(await startProgram({ name: 'epmd', command: join(programs, 'epmd'), args: [], ...common }));
    const boot = join(erlang, 'bin', 'start_sasl');
    const args = ['-boot', boot, '-noinput', '-s', 'rabbit', 'boot', '+W', 'w', '+S', '1:1'];
    const broker = await startProgram({
      name: 'RabbitMQ',
      command: join(programs, 'erlexec'),
      args,
      ...common,
    });
    started.push(broker);
    if (!(await broker.output.waitFor(READY))) {
      throw new Error(`RabbitMQ did not start:\n${broker.output.lastLines().join('\n')}`);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    port,
    tlsPort: tls ? tlsPort : null,
    async setMemoryAlarm(isOn) {
      const node = `'${env.RABBITMQ_NODENAME}'`;
      const alarm = `{resource_limit, memory, ${node}}`;
      const call = isOn ? `set_alarm, [{${alarm}, []}]` : `clear_alarm, [${alarm}]`;
      const code = `ok = rpc:call(${node}, rabbit_alarm, ${call}), halt(0).`;
      const args = [
        '-boot',
        join(erlang, 'bin', 'start_clean'),
        '-noinput',
        '-sname',
        `alarm-${port}@localhost`,
      ];
      const program = await startProgram({
        name: 'the alarm of RabbitMQ',
        command: join(programs, 'erlexec'),
        args: [...args, '-eval', code],
        cwd: directory,
        env,
      });
      const { code: exitCode } = await program.exited;
      if (exitCode !== 0) throw new Error(`the alarm failed:\n${program.output.lastLines().join('\n')}`);
    },
    stop,
  };
}
