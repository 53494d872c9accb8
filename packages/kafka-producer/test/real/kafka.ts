import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createAuthority } from '@postrider/rig/certificates';
import {
  cacheDirectoryOf,
  chooseFreePort,
  findOnPath,
  type Program,
  startProgram,
} from '@postrider/rig/servers';

const execute = promisify(execFile);
const VERSION = '3.9.1';
const MIN_JAVA = 17;
const DEPENDENCIES = [
  ['org.apache.kafka', 'kafka_2.13', VERSION],
  ['org.apache.kafka', 'kafka-tools', VERSION],
];
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
const HEAP = '-Xmx320m';
const STARTED = /Kafka Server started/;
const LOGGING = `log4j.rootLogger=INFO, stdout
log4j.appender.stdout=org.apache.log4j.ConsoleAppender
log4j.appender.stdout.layout=org.apache.log4j.PatternLayout
log4j.appender.stdout.layout.ConversionPattern=%p %c: %m%n
`;

/** The programs of Kafka: Java, and the archives for its class path. */
export interface Kafka {
  readonly java: string;
  readonly classPath: string;
}

async function findJava(): Promise<string> {
  const missing = (what: string) =>
    new Error(
      `npm run test:kafka needs Java ${MIN_JAVA} or newer, and Maven to fetch Kafka ${VERSION}: ${what}`,
    );
  const [java, maven] = await Promise.all(
    ['java', 'mvn'].map((name) => findOnPath(process.env.PATH ?? '', [name])),
  );
  if (!java) throw missing('there is no java on the PATH');
  if (!maven) throw missing('there is no mvn on the PATH');
  const { stderr } = await execute(java, ['-version']);
  const [, version = '?'] = /version "(\d+)/.exec(stderr) ?? [];
  if (!(Number(version) >= MIN_JAVA)) throw missing(`the java on the PATH has version ${version}`);
  return java;
}

/** Fetches Kafka by Maven, once for an account. Throws, and says what is missing, if it cannot run here. */
export async function findKafka(): Promise<Kafka> {
  const java = await findJava();
  const home = join(cacheDirectoryOf(process.env), `kafka-${VERSION}`);
  if (
    !(await access(home).then(
      () => true,
      () => false,
    ))
  ) {
    await mkdir(cacheDirectoryOf(process.env), { recursive: true });
    const work = await mkdtemp(`${home}-`);
    const dependencies = DEPENDENCIES.map(
      ([group, artifact, version]) =>
        `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`,
    );
    await writeFile(
      join(work, 'pom.xml'),
      `<project><modelVersion>4.0.0</modelVersion><groupId>postrider</groupId><artifactId>kafka</artifactId><version>1</version>
<dependencies>${dependencies.join('')}</dependencies></project>`,
    );
    const args = ['--batch-mode', '--quiet', COPY, `-DoutputDirectory=${join(work, 'jars')}`];
    await execute('mvn', args, { cwd: work }).catch((error) => {
      throw new Error(`Maven could not fetch Kafka ${VERSION}: ${error.stdout || error.message}`);
    });
    await rename(join(work, 'jars'), home).catch(() => undefined);
    await rm(work, { recursive: true, force: true });
  }
  return { java, classPath: join(home, '*') };
}

/** The users of the cluster. ACLs allow only `writer` to write to the topic. */
export const USERS = { writer: 'writer-4711', stranger: 'stranger' } as const;

export interface KafkaRecordRead {
  readonly partition: number;
  readonly offset: number;
  readonly timestampMs: number;
  readonly headers: string;
  readonly key: string;
  readonly value: string;
}

/** Two brokers. The first is the controller. Clients log in with SCRAM or PLAIN, over TLS. */
export interface RealCluster {
  /** `127.0.0.1:port` of each broker. */
  readonly brokers: readonly string[];
  /** The certificate of the authority of the brokers' certificates. */
  readonly ca: string;
  /** Ends the second broker with SIGKILL. */
  kill(): Promise<void>;
  /** Starts the second broker again. */
  restart(): Promise<void>;
  /** Reads all records of a topic with Kafka's own consumer. */
  read(topic: string): Promise<KafkaRecordRead[]>;
  /** Creates a topic with a replica on each broker. */
  createTopic(topic: string, partitions: number): Promise<void>;
  stop(): Promise<void>;
}

const oneLine = (pem: string) => pem.trim().replaceAll('\n', '\\n');

/** Formats the storage of two brokers, starts them, and allows `writer` to write. */
export async function startCluster({ java, classPath }: Kafka): Promise<RealCluster> {
  const directory = await mkdtemp(join(tmpdir(), 'postrider-kafka-'));
  const authority = await createAuthority('Kafka');
  const { certificate, privateKey } = await authority.issue('broker');
  const controllerPort = await chooseFreePort();
  const ports = await Promise.all(
    [1, 2].map(async (id) => ({ id, clients: await chooseFreePort(), inside: await chooseFreePort() })),
  );
  const programs = new Map<number, Program>();
  const inside = ports.map((port) => `127.0.0.1:${port.inside}`).join(',');

  const runTool = async (name: string, args: readonly string[]): Promise<string> => {
    const { stdout } = await execute(java, [HEAP, '-cp', classPath, name, ...args], { maxBuffer: 2 ** 28 });
    return stdout;
  };
  const logging = join(directory, 'log4j.properties');
  await writeFile(logging, LOGGING);
  const configOf = (id: number) => join(directory, `${id}.properties`);

  async function writeConfig({ id, clients, inside: own }: (typeof ports)[number]): Promise<void> {
    const isController = id === 1;
    const users = Object.entries(USERS).map(([name, password]) => `user_${name}="${password}"`);
    const login = 'org.apache.kafka.common.security';
    const settings = {
      'process.roles': isController ? 'broker,controller' : 'broker',
      'node.id': id,
      'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
      'controller.listener.names': 'CONTROLLER',
      'inter.broker.listener.name': 'INSIDE',
      listeners: [
        `CLIENTS://127.0.0.1:${clients}`,
        `INSIDE://127.0.0.1:${own}`,
        ...(isController ? [`CONTROLLER://127.0.0.1:${controllerPort}`] : []),
      ].join(','),
      'advertised.listeners': `CLIENTS://127.0.0.1:${clients},INSIDE://127.0.0.1:${own}`,
      'listener.security.protocol.map': 'CLIENTS:SASL_SSL,INSIDE:PLAINTEXT,CONTROLLER:PLAINTEXT',
      'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
      'listener.name.clients.plain.sasl.jaas.config': `${login}.plain.PlainLoginModule required ${users.join(' ')};`,
      'listener.name.clients.scram-sha-256.sasl.jaas.config': `${login}.scram.ScramLoginModule required;`,
      'listener.name.clients.scram-sha-512.sasl.jaas.config': `${login}.scram.ScramLoginModule required;`,
      'ssl.keystore.type': 'PEM',
      'ssl.keystore.certificate.chain': oneLine(certificate),
      'ssl.keystore.key': oneLine(privateKey),
      'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
      'super.users': 'User:ANONYMOUS',
      'log.dirs': join(directory, `data-${id}`),
      'auto.create.topics.enable': false,
      'offsets.topic.replication.factor': 1,
      'offsets.topic.num.partitions': 1,
      'group.initial.rebalance.delay.ms': 0,
      'min.insync.replicas': 1,
      'unclean.leader.election.enable': false,
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
    await writeFile(configOf(id), `${lines.join('\n')}\n`);
  }

  async function startBroker(id: number): Promise<void> {
    const program = await startProgram({
      name: `Kafka broker ${id}`,
      command: java,
      args: [HEAP, `-Dlog4j.configuration=file:${logging}`, '-cp', classPath, 'kafka.Kafka', configOf(id)],
      cwd: directory,
      removeWhenOrphaned: [directory],
    });
    programs.set(id, program);
    if (await program.output.waitFor(STARTED)) return;
    throw new Error(`Kafka broker ${id} did not start:\n${program.output.lastLines().join('\n')}`);
  }
  async function stop(): Promise<void> {
    for (const program of programs.values()) await program.kill();
    await rm(directory, { recursive: true, force: true });
  }

  try {
    const clusterId = randomBytes(16).toString('base64url');
    for (const port of ports) {
      await writeConfig(port);
      const logins = Object.entries(USERS).flatMap(([name, password]) =>
        ['SCRAM-SHA-256', 'SCRAM-SHA-512'].map(
          (mechanism) => `${mechanism}=[name=${name},password=${password}]`,
        ),
      );
      const scram = logins.flatMap((login) => ['--add-scram', login]);
      await runTool('kafka.tools.StorageTool', [
        'format',
        '-t',
        clusterId,
        '-c',
        configOf(port.id),
        ...scram,
      ]);
    }
    await Promise.all([startBroker(1), startBroker(2)]);
    await runTool('kafka.admin.AclCommand', [
      ...['--bootstrap-server', inside, '--add', '--allow-principal', 'User:writer'],
      ...['--operation', 'Write', '--topic', '*'],
    ]);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    brokers: ports.map(({ clients }) => `127.0.0.1:${clients}`),
    ca: authority.certificate,
    async kill() {
      await programs.get(2)?.kill();
    },
    restart: () => startBroker(2),
    async createTopic(topic, partitions) {
      const how = ['--partitions', `${partitions}`, '--replication-factor', '2'];
      await runTool('org.apache.kafka.tools.TopicCommand', [
        ...['--bootstrap-server', inside, '--create', '--topic', topic],
        ...how,
      ]);
    },
    async read(topic) {
      const shown = ['partition', 'offset', 'timestamp', 'headers', 'key', 'value'];
      const output = await runTool('org.apache.kafka.tools.consumer.ConsoleConsumer', [
        ...['--bootstrap-server', inside, '--topic', topic, '--from-beginning', '--timeout-ms', '20000'],
        ...shown.flatMap((name) => ['--property', `print.${name}=true`]),
        ...['--property', 'key.separator=|', '--property', 'headers.separator=;'],
      ]);
      // Such as: CreateTime:1|Partition:0|Offset:7|name:value;…|key|value
      return output
        .split('\n')
        .map((line) => /^CreateTime:(\d+)\|Partition:(\d+)\|Offset:(\d+)\|([^|]*)\|([^|]*)\|(.*)$/.exec(line))
        .filter((found) => found !== null)
        .map(([, at, partition, offset, headers = '', key = '', value = '']) => ({
          ...{ partition: Number(partition), offset: Number(offset), timestampMs: Number(at) },
          ...{ headers, key, value },
        }));
    },
    stop,
  };
}
