import { join } from 'node:path';
import { cacheDirectoryOf, type DebianPackage, libraryDirectories, unpackDebian } from './fetch-debian.ts';
import { startProgram } from './supervise.ts';

const KCAT: DebianPackage = { packageName: 'kcat', marker: 'usr/bin/kcat' };
const READY = /bootstrap\.servers=(\S+)/;

/** A record as librdkafka's consumer read it. */
export interface ConsumedRecord {
  readonly partition: number;
  readonly key: string | null;
  readonly payload: string;
  /** Milliseconds since the epoch. */
  readonly ts: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
}

/** The mock cluster of librdkafka with two brokers, and its consumer on one topic. */
export interface KafkaMock {
  /** `host:port` of each broker. */
  readonly brokers: readonly string[];
  /** What was consumed until now. */
  readonly records: readonly ConsumedRecord[];
  stop(): Promise<void>;
}

/** kcat with librdkafka from Debian's or Ubuntu's package, as the directory that is its root; null where it cannot be had. */
export async function findKcat(): Promise<string | null> {
  const unpacked = await unpackDebian(KCAT, join(cacheDirectoryOf(process.env), 'kcat'));
  return unpacked.outcome === 'unpacked' ? unpacked.root : null;
}

/**
 * Starts kcat as the consumer of a mock cluster in its own process. Both are librdkafka's: an implementation of the protocol that
 * knows nothing of this one. The consumer checks the checksums.
 */
export async function startKafkaMock(root: string, topic: string): Promise<KafkaMock> {
  const records: ConsumedRecord[] = [];
  let isListening: (brokers: readonly string[]) => void = () => undefined;
  const listening = new Promise<readonly string[]>((resolve) => {
    isListening = resolve;
  });
  const program = await startProgram({
    name: 'kcat',
    command: join(root, KCAT.marker),
    args: [
      ...['-C', '-t', topic, '-o', 'beginning', '-J', '-u', '-b', 'mock'],
      ...['-X', 'test.mock.num.brokers=2', '-X', 'check.crcs=true', '-d', 'mock'],
    ],
    env: { ...process.env, LD_LIBRARY_PATH: (await libraryDirectories(root)).join(':') },
    onLine(line) {
      if (line.startsWith('{')) records.push(JSON.parse(line));
      const [, found] = READY.exec(line) ?? [];
      if (found) isListening(found.split(','));
    },
  });
  const brokers = await Promise.race([listening, program.exited.then(() => null)]);
  if (!brokers) throw new Error(`kcat did not start:\n${program.output.lastLines().join('\n')}`);
  return { brokers, records, stop: () => program.kill() };
}
