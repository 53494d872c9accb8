import { join } from 'node:path';
import {
  cacheDirectoryOf,
  type DebianPackage,
  type Found,
  libraryDirectories,
  unpackDebian,
} from './fetch-debian.ts';
import { startProgram } from './supervise.ts';

const PROGRAM = 'usr/bin/kcat';
const KCAT: DebianPackage = { packageName: 'kcat', markers: [PROGRAM] };
const READY = /bootstrap\.servers=(\S+)/;

/** A record that librdkafka's consumer has read. */
export interface ConsumedRecord {
  readonly partition: number;
  readonly key: string | null;
  readonly payload: string;
  /** Milliseconds since 1970. */
  readonly ts: number;
  /** Alternating names and values. */
  readonly headers: readonly string[];
}

/** librdkafka's mock cluster with two brokers, and a consumer of one topic. */
export interface KafkaMock {
  /** `host:port` of each broker. */
  readonly brokers: readonly string[];
  /** The records consumed so far. */
  readonly records: readonly ConsumedRecord[];
  stop(): Promise<void>;
}

/** The root directory of the unpacked Debian or Ubuntu package of kcat, with librdkafka unless that is installed. */
export const findKcat = (): Promise<Found<string>> =>
  unpackDebian(KCAT, join(cacheDirectoryOf(process.env), 'kcat'));

/**
 * Starts kcat with a mock cluster and a consumer. Both are from librdkafka, an independent implementation of the
 * protocol. The consumer verifies checksums.
 */
export async function startKafkaMock(root: string, topic: string): Promise<KafkaMock> {
  const records: ConsumedRecord[] = [];
  let isListening: (brokers: readonly string[]) => void = () => undefined;
  const listening = new Promise<readonly string[]>((resolve) => {
    isListening = resolve;
  });
  const program = await startProgram({
    name: 'kcat',
    command: join(root, PROGRAM),
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
