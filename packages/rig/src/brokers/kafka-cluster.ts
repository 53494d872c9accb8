import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { Cursor, readProduce, type StoredRecord } from './kafka-records.ts';

/** The requests by their numbers. */
const NAMES: Readonly<Record<number, string>> = {
  0: 'Produce',
  3: 'Metadata',
  17: 'SaslHandshake',
  18: 'ApiVersions',
  22: 'InitProducerId',
  36: 'SaslAuthenticate',
};

const i8 = (value: number) => Buffer.from([value]);
const i16 = (value: number) => Buffer.from([(value >> 8) & 0xff, value & 0xff]);
const i32 = (value: number) => {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32BE(value);
  return buffer;
};
const i64 = (value: number | bigint) => {
  const buffer = Buffer.alloc(8);
  buffer.writeBigInt64BE(BigInt(value));
  return buffer;
};
const text = (value: string) => Buffer.concat([i16(Buffer.byteLength(value)), Buffer.from(value)]);
const NULL_TEXT = i16(-1);
const blob = (value: Buffer) => Buffer.concat([i32(value.length), value]);
const list = (items: readonly Buffer[]) => Buffer.concat([i32(items.length), ...items]);

/** Replaces the answer to a request. A number is an error code, and bytes are sent unchanged. */
export type Fault = 'cut' | 'cut-after' | 'hang' | number | Buffer;

export interface KafkaOptions {
  readonly brokers?: number;
  readonly partitions?: number;
  /** With `clients`, the authority whose client certificates it asks for. */
  readonly tls?: { readonly certificate: string; readonly privateKey: string; readonly clients?: string };
  /** The users and their passwords; left out: no login. */
  readonly users?: Readonly<Record<string, string>>;
  readonly iterations?: number;
}

export interface KafkaCluster {
  /** `127.0.0.1:port` of each broker. */
  readonly addresses: readonly string[];
  /** The stored records, in order. */
  readonly records: readonly StoredRecord[];
  /** The requests by their names, in order. */
  readonly requests: readonly string[];
  /** The number of connections so far. */
  connections(): number;
  openConnections(): number;
  /** Makes the cluster advertise another address than its own. */
  advertise(host: string, port: number): void;
  /** Decides what happens to the next requests. Null: each is answered. */
  faults: ((request: string, broker: number) => Fault | null) | null;
  /** The leader of partition 0 and so on; every broker in turn at first. */
  leaders: number[];
  close(): Promise<void>;
}

/** The server's side of SCRAM (RFC 5802), for one connection. */
function scramServer(
  algorithm: 'sha256' | 'sha512',
  users: Readonly<Record<string, string>>,
  iterations: number,
) {
  const hmac = (key: Buffer, value: string) => createHmac(algorithm, key).update(value).digest();
  let first = '';
  let challenge = '';
  let password = '';
  return (message: string): string | null => {
    if (first === '') {
      first = message.slice('n,,'.length);
      const [, user = '', nonce = ''] = /^n=([^,]*),r=(.+)$/.exec(first) ?? [];
      password = users[user.replaceAll('=2C', ',').replaceAll('=3D', '=')] ?? '';
      challenge = `r=${nonce}${randomBytes(9).toString('base64url')},s=${randomBytes(16).toString('base64')},i=${iterations}`;
      return challenge;
    }
    const [, withoutProof = '', proof = ''] = /^(.*),p=(.*)$/.exec(message) ?? [];
    const salt = Buffer.from(/,s=([^,]*)/.exec(challenge)?.[1] ?? '', 'base64');
    const salted = pbkdf2Sync(password, salt, iterations, algorithm === 'sha256' ? 32 : 64, algorithm);
    const whole = `${first},${challenge},${withoutProof}`;
    const clientKey = hmac(salted, 'Client Key');
    const signature = hmac(createHash(algorithm).update(clientKey).digest(), whole);
    const expected = Buffer.from(clientKey.map((octet, index) => octet ^ (signature[index] ?? 0)));
    if (password === '' || proof !== expected.toString('base64')) return null;
    return `v=${hmac(hmac(salted, 'Server Key'), whole).toString('base64')}`;
  };
}

/**
 * Starts a cluster that speaks Kafka's protocol on loopback, after its public description: versions, metadata, producer ids, records
 * with their checksums, and logins. It stores a sequence once, and refuses gaps.
 */
export async function startKafkaCluster(options: KafkaOptions = {}): Promise<KafkaCluster> {
  const { brokers = 1, partitions = 3, tls, users, iterations = 4_096 } = options;
  const sockets = new Set<Socket>();
  const records: StoredRecord[] = [];
  const requests: string[] = [];
  const sequences = new Map<string, number>();
  const ports: number[] = [];
  let advertised: { host: string; port: number } | null = null;
  let producers = 0;
  let opened = 0;

  /** Stores a record once. Returns the error code. */
  function store(record: StoredRecord, broker: number): number {
    if (record.topic === 'missing') return 3;
    if (cluster.leaders[record.partition] !== broker) return 6;
    const name = `${record.producerId} ${record.partition}`;
    const next = sequences.get(name) ?? 0;
    if (record.producerId >= 0n) {
      if (record.sequence === next - 1) return 0;
      if (record.sequence !== next) return 45;
      sequences.set(name, next + 1);
    }
    records.push(record);
    return 0;
  }

  function metadata(from: Cursor, error: number): Buffer {
    from.int32();
    const topic = from.string() ?? '';
    if (from.int8() !== 0) throw new Error('it would create topics');
    const nodes = ports.map((port, id) => {
      const { host, port: named } = advertised ?? { host: '127.0.0.1', port };
      return Buffer.concat([i32(id), text(host), i32(named), NULL_TEXT]);
    });
    const code = topic === 'missing' ? 3 : error;
    const places = cluster.leaders.map((leader, index) =>
      Buffer.concat([i16(0), i32(index), i32(leader), list([i32(leader)]), list([i32(leader)])]),
    );
    const topics = [Buffer.concat([i16(code), text(topic), i8(0), list(code === 0 ? places : [])])];
    return Buffer.concat([i32(0), list(nodes), NULL_TEXT, i32(0), list(topics)]);
  }

  function onConnection(socket: Socket, broker: number): void {
    opened += 1;
    sockets.add(socket);
    let isLoggedIn = !users;
    let login: ((message: string) => string | null) | null = null;
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));

    const answer = (name: string, from: Cursor, error: number): Buffer => {
      switch (name) {
        case 'ApiVersions': {
          const ranges = Object.keys(NAMES).map((key) => Buffer.concat([i16(Number(key)), i16(0), i16(4)]));
          return Buffer.concat([i16(error), list(ranges)]);
        }
        case 'SaslHandshake': {
          const mechanism = from.string() ?? '';
          const algorithm = mechanism.endsWith('512') ? 'sha512' : 'sha256';
          login = mechanism.startsWith('SCRAM')
            ? scramServer(algorithm, users ?? {}, iterations)
            : (message) => {
                const [, user = '', password] = message.split('\0');
                return users?.[user] === password ? '' : null;
              };
          return Buffer.concat([i16(error), list([text(mechanism)])]);
        }
        case 'SaslAuthenticate': {
          const reply = login?.(from.bytes().toString('utf8')) ?? null;
          isLoggedIn = reply === '' || reply?.startsWith('v=') === true;
          return Buffer.concat([i16(reply === null ? 58 : error), NULL_TEXT, blob(Buffer.from(reply ?? ''))]);
        }
        case 'Metadata':
          return metadata(from, error);
        case 'InitProducerId':
          producers += 1;
          return Buffer.concat([i32(0), i16(error), i64(producers), i16(0)]);
        default: {
          const record = readProduce(from);
          const code = error === 0 ? store(record, broker) : error;
          const result = Buffer.concat([i32(record.partition), i16(code), i64(records.length - 1), i64(-1)]);
          return Buffer.concat([list([Buffer.concat([text(record.topic), list([result])])]), i32(0)]);
        }
      }
    };

    const handle = (request: Buffer): void => {
      const from = new Cursor(request);
      const [key, , correlationId] = [from.int16(), from.int16(), from.int32()];
      from.string();
      const name = NAMES[key] ?? `request ${key}`;
      requests.push(name);
      const isOpen = name === 'ApiVersions' || name.startsWith('Sasl');
      if (!isOpen && !isLoggedIn) return void socket.destroy();
      const fault = cluster.faults?.(name, broker) ?? null;
      if (fault === 'cut') return void socket.destroy();
      if (fault === 'hang') return;
      if (Buffer.isBuffer(fault)) return void socket.write(fault);
      const body = answer(name, from, typeof fault === 'number' ? fault : 0);
      if (fault === 'cut-after') return void socket.destroy();
      socket.write(blob(Buffer.concat([i32(correlationId), body])));
    };

    let received = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 4 && received.length - 4 >= received.readInt32BE(0)) {
        const size = received.readInt32BE(0);
        const request = received.subarray(4, 4 + size);
        received = received.subarray(4 + size);
        try {
          handle(request);
        } catch {
          socket.destroy();
        }
      }
    });
  }

  const servers = Array.from({ length: brokers }, (_, broker) =>
    tls
      ? createTlsServer(
          {
            ...{ cert: tls.certificate, key: tls.privateKey },
            ...(tls.clients ? { ca: tls.clients, requestCert: true, rejectUnauthorized: true } : {}),
          },
          (socket) => onConnection(socket, broker),
        )
      : createServer((socket) => onConnection(socket, broker)),
  );
  for (const server of servers) {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    ports.push((server.address() as AddressInfo).port);
  }
  const cluster: KafkaCluster = {
    addresses: ports.map((port) => `127.0.0.1:${port}`),
    records,
    requests,
    connections: () => opened,
    openConnections: () => sockets.size,
    advertise(host, port) {
      advertised = { host, port };
    },
    faults: null,
    leaders: Array.from({ length: partitions }, (_, partition) => partition % brokers),
    async close() {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
    },
  };
  return cluster;
}
