import { waitFor } from '@postrider/rig';
import { findKcat, type KafkaMock, startKafkaMock } from '@postrider/rig/servers';
import { afterAll, beforeAll, describe, describeWith, expect, it } from '@postrider/testing';
import { closeAfterEach, open, record, resultOf, start } from './support/producer.ts';

const START_LIMIT_MS = 300_000;
closeAfterEach();

describe('a Kafka producer', () => {
  it('stores a record unchanged, and says where', async () => {
    const { addresses, records } = await start({ brokers: 2 });
    const brokers: string[] = [];
    const stored = await open(addresses).send(record('{"n":"é"}', 'A-1042'), {
      onBroker: (address) => brokers.push(address),
    });
    expect(records).toMatchObject([
      {
        ...{ topic: 'orders', key: 'A-1042', value: '{"n":"é"}', headers: { name: 'välue' } },
        timestampMs: Date.parse('2026-11-21T09:30:00.000Z'),
      },
    ]);
    expect(stored).toEqual({ partition: records[0]?.partition, offset: 0n });
    expect(addresses).toContain(brokers[0]);
  });

  it('keeps the records of a key in one partition, and spreads those without a key', async () => {
    const { addresses, records } = await start({ partitions: 5 });
    const producer = open(addresses);
    for (let n = 0; n < 20; n += 1) await producer.send(record('a', 'A-1042'));
    expect(new Set(records.map(({ partition }) => partition)).size).toBe(1);
    for (let n = 0; n < 20; n += 1) await producer.send(record('b'), { spreadBy: `run_${n}` });
    const partitionsOf = (value: string) =>
      records.filter((each) => each.value === value).map(({ partition }) => partition);
    expect(new Set(partitionsOf('b')).size).toBeGreaterThan(2);
    for (let n = 0; n < 20; n += 1) await producer.send(record('c'), { spreadBy: `run_${n}` });
    expect(partitionsOf('c')).toEqual(partitionsOf('b'));
    for (let n = 0; n < 100; n += 1) await producer.send(record('d'));
    expect(new Set(partitionsOf('d')).size).toBeGreaterThan(2);
  });

  it('sends 40 records at once over one connection, each with its own sequence', async () => {
    const cluster = await start();
    const producer = open(cluster.addresses);
    await Promise.all(Array.from({ length: 40 }, (_, n) => producer.send(record(`${n}`))));
    expect(cluster.connections()).toBe(1);
    const ids = cluster.records.map(
      ({ producerId, partition, sequence }) => `${producerId} ${partition} ${sequence}`,
    );
    expect(new Set(ids).size).toBe(40);
  });

  it('stores a record once if the response is lost, and knows that it is stored', async () => {
    const cluster = await start();
    let cuts = 0;
    cluster.faults = (request) => {
      if (request !== 'Produce' || cuts > 0) return null;
      cuts += 1;
      return 'cut-after';
    };
    const producer = open(cluster.addresses);
    await producer.send(record());
    expect(cluster.records).toHaveLength(1);
    expect(cluster.requests.filter((request) => request === 'Produce')).toHaveLength(2);
    await producer.send(record());
    expect(cluster.records).toHaveLength(2);
  });

  it.each([
    ['cut-after', true],
    ['cut-after', false],
    ['cut', true],
    ['hang', true],
  ] as const)(
    'does not know about a record without a response (%s, idempotent: %s), and continues',
    async (fault, idempotent) => {
      const cluster = await start();
      const producer = open(cluster.addresses, { idempotent });
      const send = () => resultOf(producer.send(record(), { timeoutMs: 1_000 }));
      cluster.faults = (request) => (request === 'Produce' ? fault : null);
      expect(await send()).toMatchObject({ code: 'UNCONFIRMED', isFinal: false });
      cluster.faults = null;
      expect(await send()).toBe('stored');
    },
  );

  it('ends at once when its signal aborts', async () => {
    const cluster = await start();
    const abort = new AbortController();
    cluster.faults = (request) => {
      if (request !== 'Produce') return null;
      abort.abort();
      return 'hang';
    };
    const producer = open(cluster.addresses);
    const send = () => resultOf(producer.send(record(), { timeoutMs: 300_000, signal: abort.signal }));
    expect(await send()).toMatchObject({ code: 'UNCONFIRMED' });
    expect(await send()).toMatchObject({ code: 'CONNECTION_FAILED' });
    expect(cluster.requests.filter((request) => request === 'Produce')).toHaveLength(1);
  });

  it('never reuses the sequence of a record that may be stored', async () => {
    const cluster = await start({ partitions: 1 });
    const producer = open(cluster.addresses);
    const send = (value: string) => resultOf(producer.send(record(value)));
    await send('a');
    cluster.faults = (request) => (request === 'Produce' ? 7 : null);
    expect(await send('b')).toMatchObject({ code: 'UNCONFIRMED', brokerError: 7 });
    cluster.faults = null;
    expect(await send('c')).toBe('stored');
    expect(cluster.records.map(({ value }) => value)).toEqual(['a', 'c']);
    expect(new Set(cluster.records.map(({ producerId }) => producerId)).size).toBe(2);
  });

  it('follows a partition to another leader within the call', async () => {
    const cluster = await start({ brokers: 2, partitions: 1 });
    const producer = open(cluster.addresses);
    await producer.send(record());
    cluster.leaders = [1];
    await producer.send(record());
    expect(cluster.records).toHaveLength(2);
  });

  it('reads the metadata again when it is old, and finds new partitions', async () => {
    const cluster = await start({ partitions: 1 });
    let now = 0;
    const producer = open(cluster.addresses, { now: () => now });
    for (let n = 0; n < 2; n += 1) await producer.send(record());
    const reads = () => cluster.requests.filter((request) => request === 'Metadata').length;
    expect(reads()).toBe(1);
    cluster.leaders = [0, 0, 0];
    now = 300_000;
    for (let n = 0; n < 40; n += 1) await producer.send(record());
    expect(reads()).toBe(2);
    expect(new Set(cluster.records.map(({ partition }) => partition)).size).toBe(3);
  });

  it('connects to at most 8 brokers of a cluster, and to none after closing', async () => {
    const cluster = await start({ brokers: 12, partitions: 12 });
    const producer = open(cluster.addresses);
    for (let n = 0; n < 60; n += 1) await producer.send(record(), { spreadBy: `run_${n}` });
    expect(new Set(cluster.records.map(({ partition }) => partition)).size).toBeGreaterThan(8);
    await waitFor('the others to be closed', () => cluster.openConnections() <= 8);
    producer.close();
    await waitFor('all to be closed', () => cluster.openConnections() === 0);
  });

  it('uses the next broker of the options if nothing listens at one', async () => {
    const { addresses } = await start();
    expect(await resultOf(open(['127.0.0.1:1', ...addresses]).send(record()))).toBe('stored');
  });

  it.each([
    [10, 'REJECTED', true],
    [19, 'REJECTED', false],
    [20, 'UNCONFIRMED', false],
    [29, 'NOT_AUTHORIZED', false],
    [45, 'REJECTED', false],
    [87, 'REJECTED', false],
    [89, 'REJECTED', false],
    [-1, 'UNCONFIRMED', false],
    [9_999, 'UNCONFIRMED', false],
  ] as const)('reports error %i of a record as %s, final: %s', async (brokerError, code, isFinal) => {
    const cluster = await start();
    cluster.faults = (request) => (request === 'Produce' ? brokerError : null);
    const result = await resultOf(open(cluster.addresses).send(record()));
    expect(result).toMatchObject({ name: 'KafkaError', code, isFinal, brokerError });
  });

  it('is certain that nothing is stored if the topic is missing, or the user gets no producer id', async () => {
    const cluster = await start();
    expect(await resultOf(open(cluster.addresses, { topic: 'missing' }).send(record()))).toMatchObject({
      code: 'REJECTED',
      message: expect.stringContaining('UNKNOWN_TOPIC_OR_PARTITION'),
    });
    cluster.faults = (request) => (request === 'InitProducerId' ? 31 : null);
    expect(await resultOf(open(cluster.addresses).send(record()))).toMatchObject({
      code: 'NOT_AUTHORIZED',
      message: expect.stringContaining('`idempotent` must be false'),
    });
    await open(cluster.addresses, { idempotent: false }).send(record());
    expect(cluster.records).toMatchObject([{ producerId: -1n, epoch: -1, sequence: -1 }]);
  });
});

describe('a cluster that has just started', () => {
  it.each([14, 15, 16])('is waited for within the call if it gives no producer id yet (%i)', async (code) => {
    const cluster = await start();
    let asked = 0;
    cluster.faults = (request) => {
      if (request !== 'InitProducerId') return null;
      asked += 1;
      return asked <= 3 ? code : null;
    };
    await open(cluster.addresses).send(record());
    expect(asked).toBe(4);
    expect(cluster.records).toHaveLength(1);
  });

  it('stores nothing, and says why, if the call ends before', async () => {
    const cluster = await start();
    cluster.faults = (request) => (request === 'InitProducerId' ? 14 : null);
    expect(await resultOf(open(cluster.addresses).send(record(), { timeoutMs: 500 }))).toMatchObject({
      code: 'REJECTED',
      message: expect.stringContaining('COORDINATOR_LOAD_IN_PROGRESS'),
    });
    expect(cluster.records).toEqual([]);
  });

  it('is not waited for any more when the call is aborted', async () => {
    const cluster = await start();
    const limit = new AbortController();
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    let asked = 0;
    cluster.faults = (request) => {
      if (request !== 'InitProducerId') return null;
      asked += 1;
      return 14;
    };
    const sent = resultOf(open(cluster.addresses).send(record(), { signal: limit.signal }));
    await waitFor('the wait for the coordinator', () => asked > 1 && timers() > before + 1);
    limit.abort();
    expect(await sent).toMatchObject({ code: 'REJECTED' });
    expect(timers()).toBe(before);
  });
});

describe('the login of a Kafka producer', () => {
  it.each(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] as const)(
    'works with %s, and never shows the password',
    async (mechanism) => {
      const { addresses } = await start({ users: { postrider: 'pass,word=1' } });
      const withPassword = (password: string) =>
        open(addresses, { sasl: { mechanism, username: 'postrider', password } }).send(record());
      await withPassword('pass,word=1');
      const refused = await resultOf(withPassword('wrong-password'));
      expect(refused).toMatchObject({ code: 'LOGIN_FAILED', brokerError: 58 });
      expect(JSON.stringify(refused, Object.getOwnPropertyNames(refused))).not.toContain('wrong-password');
    },
  );

  it('refuses more iterations than a real broker uses', async () => {
    const { addresses } = await start({ users: { postrider: 'p' }, iterations: 32_769 });
    const sasl = { mechanism: 'SCRAM-SHA-256', username: 'postrider', password: 'p' } as const;
    expect(await resultOf(open(addresses, { sasl }).send(record()))).toMatchObject({ code: 'LOGIN_FAILED' });
  });
});

describeWith(await findKcat(), 'a Kafka producer, with the mock cluster of librdkafka', (root) => {
  let mock: KafkaMock;
  beforeAll(async () => {
    mock = await startKafkaMock(root, 'orders');
  }, START_LIMIT_MS);
  afterAll(() => mock?.stop());

  it('writes records that its consumer reads unchanged', async () => {
    const producer = open(mock.brokers);
    const keys = ['A-1042', 'ünïcode', null];
    for (const key of [...keys, ...keys]) await producer.send(record('{"n":"é"}', key));
    await waitFor('the records', () => mock.records.length === 6);
    expect(mock.records.map(({ key }) => key).sort()).toEqual([...keys, ...keys].sort());
    for (const { payload, ts, headers } of mock.records) {
      expect([payload, ts]).toEqual(['{"n":"é"}', Date.parse('2026-11-21T09:30:00.000Z')]);
      expect(headers).toEqual(['name', 'välue']);
    }
  });
});
