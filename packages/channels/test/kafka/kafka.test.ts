import { waitFor } from '@postrider/rig';
import { findKcat, type KafkaMock, startKafkaMock } from '@postrider/rig/servers';
import { afterAll, beforeAll, describe, describeWith, expect, it } from '@postrider/testing';
import type { ExchangeFacts } from '../../src/sender.ts';
import { createAuthority } from '../support/certificates.ts';
import { RUN_ID } from '../support/delivery.ts';
import { closeAfterEach, delivery, open, start } from './support/send.ts';

const START_LIMIT_MS = 300_000;
closeAfterEach();

const withLogin = (password: string, mechanism = 'SCRAM-SHA-256') => ({
  config: { mechanism, username: 'postrider' },
  details: { credentials: { password } },
});

describe('a channel of kind kafka', () => {
  it('writes the body with its identifying headers, by its ordering key, and reports where it is stored', async () => {
    const { addresses, records } = await start({ brokers: 2 });
    const facts: ExchangeFacts[] = [];
    const result = await open().send(
      delivery({
        brokers: addresses,
        orderingKey: 'A-1042',
        details: { attempt: 2, test: true, sequence: 7, reportExchange: (fact) => facts.push(fact) },
      }),
    );
    const partition = records[0]?.partition;
    expect(result).toEqual({
      outcome: 'delivered',
      response: { statusCode: 0, bodyExcerpt: `partition ${partition}, offset 0` },
    });
    expect(records).toMatchObject([
      {
        topic: 'orders',
        key: 'A-1042',
        value: '{"type":"order.shipped"}',
        timestampMs: Date.parse('2026-11-21T09:30:00.000Z'),
        headers: {
          'content-type': 'application/json',
          'postrider-run-id': RUN_ID,
          'postrider-message-id': expect.stringMatching(/^msg_/),
          'postrider-event-key': 'order.shipped',
          'postrider-attempt': '2',
          'postrider-sequence': '7',
          'postrider-test': 'true',
        },
      },
    ]);
    const seen: ExchangeFacts = Object.assign({}, ...facts);
    expect(addresses).toContain(seen.connectedAddress);
    expect(seen.requestHeaders).toContainEqual(['key', 'A-1042']);
  });

  it('keeps the records of a key in one partition, and spreads those without a key', async () => {
    const { addresses, records } = await start({ partitions: 5 });
    const sender = open();
    for (let n = 0; n < 20; n += 1) {
      await sender.send(
        delivery({ brokers: addresses, orderingKey: 'A-1042', details: { runId: `run_${n}` } }),
      );
    }
    expect(new Set(records.map(({ partition }) => partition)).size).toBe(1);
    for (let n = 0; n < 20; n += 1) {
      await sender.send(delivery({ brokers: addresses, details: { runId: `run_${n}` } }));
    }
    const keyless = records.filter(({ key }) => key === null);
    expect(new Set(keyless.map(({ partition }) => partition)).size).toBeGreaterThan(2);
  });

  it('sends 40 records at once over one connection, each with its own number', async () => {
    const cluster = await start();
    const sender = open();
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        sender.send(delivery({ brokers: cluster.addresses, details: { runId: `run_${n}` } })),
      ),
    );
    expect(results.filter(({ outcome }) => outcome !== 'delivered')).toEqual([]);
    expect(cluster.connections()).toBe(1);
    const ids = cluster.records.map(
      ({ producerId, partition, sequence }) => `${producerId} ${partition} ${sequence}`,
    );
    expect(new Set(ids).size).toBe(40);
    await sender.send(delivery({ brokers: cluster.addresses, details: { revision: 2 } }));
    expect(cluster.connections()).toBe(2);
  });

  it('stores a record once if the response is lost, and knows that it is stored', async () => {
    const cluster = await start();
    let cuts = 0;
    cluster.faults = (request) => {
      if (request !== 'Produce' || cuts > 0) return null;
      cuts += 1;
      return 'cut-after';
    };
    const sender = open();
    expect(await sender.send(delivery({ brokers: cluster.addresses }))).toMatchObject({
      outcome: 'delivered',
    });
    expect(cluster.records).toHaveLength(1);
    expect(cluster.requests.filter((request) => request === 'Produce')).toHaveLength(2);
    expect(await sender.send(delivery({ brokers: cluster.addresses }))).toMatchObject({
      outcome: 'delivered',
    });
    expect(cluster.records).toHaveLength(2);
  });

  it.each([
    ['cut-after', true],
    ['cut-after', false],
    ['cut', true],
    ['hang', true],
  ] as const)(
    'has an unknown outcome without a response (%s, idempotent: %s), and continues',
    async (fault, idempotent) => {
      const cluster = await start();
      const sender = open();
      const send = () =>
        sender.send(
          delivery({ brokers: cluster.addresses, config: { idempotent }, details: { timeoutMs: 1_000 } }),
        );
      cluster.faults = (request) => (request === 'Produce' ? fault : null);
      expect(await send()).toMatchObject({
        outcome: 'unknown',
        code: 'kafka_outcome_unknown',
        retryable: true,
      });
      cluster.faults = null;
      expect(await send()).toMatchObject({ outcome: 'delivered' });
    },
  );

  it('never reuses the sequence of a record that may be stored', async () => {
    const cluster = await start({ partitions: 1 });
    const sender = open();
    const send = (body: string) => sender.send(delivery({ brokers: cluster.addresses, body }));
    await send('"a"');
    cluster.faults = (request) => (request === 'Produce' ? 7 : null);
    expect(await send('"b"')).toMatchObject({ outcome: 'unknown', code: 'kafka_outcome_unknown' });
    cluster.faults = null;
    expect(await send('"c"')).toMatchObject({ outcome: 'delivered' });
    expect(cluster.records.map(({ value }) => value)).toEqual(['"a"', '"c"']);
    expect(new Set(cluster.records.map(({ producerId }) => producerId)).size).toBe(2);
  });

  it('follows a partition to another leader within the attempt', async () => {
    const cluster = await start({ brokers: 2, partitions: 1 });
    const sender = open();
    await sender.send(delivery({ brokers: cluster.addresses }));
    cluster.leaders = [1];
    expect(await sender.send(delivery({ brokers: cluster.addresses }))).toMatchObject({
      outcome: 'delivered',
    });
    expect(cluster.records).toHaveLength(2);
  });

  it('connects to at most 8 brokers of a cluster, and to none after closing', async () => {
    const cluster = await start({ brokers: 12, partitions: 12 });
    const sender = open();
    for (let n = 0; n < 60; n += 1) {
      const details = { runId: `run_${n}` };
      const result = await sender.send(delivery({ brokers: cluster.addresses, details }));
      expect(result.outcome).toBe('delivered');
    }
    expect(new Set(cluster.records.map(({ partition }) => partition)).size).toBeGreaterThan(8);
    await waitFor('the others to be closed', () => cluster.openConnections() <= 8);
    sender.close();
    await waitFor('all to be closed', () => cluster.openConnections() === 0);
  });

  it('uses the next broker of the config if nothing listens at one', async () => {
    const { addresses } = await start();
    const brokers = ['127.0.0.1:1', ...addresses];
    expect(await open().send(delivery({ brokers }))).toMatchObject({ outcome: 'delivered' });
  });

  it.each([
    [10, 'failed', 'kafka_rejected', false],
    [19, 'failed', 'kafka_rejected', true],
    [20, 'unknown', 'kafka_outcome_unknown', true],
    [29, 'failed', 'kafka_auth_failed', true],
    [45, 'failed', 'kafka_rejected', true],
    [87, 'failed', 'kafka_rejected', true],
    [89, 'failed', 'kafka_rejected', true],
    [-1, 'unknown', 'kafka_outcome_unknown', true],
    [9_999, 'unknown', 'kafka_outcome_unknown', true],
  ] as const)('error %i of a record is %s, %s, retried: %s', async (code, outcome, errorCode, retryable) => {
    const cluster = await start();
    cluster.faults = (request) => (request === 'Produce' ? code : null);
    expect(await open().send(delivery({ brokers: cluster.addresses }))).toMatchObject({
      outcome,
      code: errorCode,
      retryable,
    });
  });

  it('fails with certainty if the topic is missing, or the user gets no producer id', async () => {
    const cluster = await start();
    const rejected = { outcome: 'failed', code: 'kafka_rejected', retryable: true };
    const missing = delivery({ brokers: cluster.addresses, config: { topic: 'missing' } });
    expect(await open().send(missing)).toMatchObject({
      ...rejected,
      message: expect.stringContaining('UNKNOWN_TOPIC_OR_PARTITION'),
    });
    cluster.faults = (request) => (request === 'InitProducerId' ? 31 : null);
    expect(await open().send(delivery({ brokers: cluster.addresses }))).toMatchObject({
      outcome: 'failed',
      code: 'kafka_auth_failed',
      message: expect.stringContaining('`idempotent` must be false'),
    });
    const plain = delivery({ brokers: cluster.addresses, config: { idempotent: false } });
    expect(await open().send(plain)).toMatchObject({ outcome: 'delivered' });
    expect(cluster.records).toMatchObject([{ producerId: -1n, epoch: -1, sequence: -1 }]);
  });
});

describe('a cluster that has just started', () => {
  it.each([14, 15, 16])(
    'is waited for within the attempt if it gives no producer id yet (%i)',
    async (code) => {
      const cluster = await start();
      let asked = 0;
      cluster.faults = (request) => {
        if (request !== 'InitProducerId') return null;
        asked += 1;
        return asked <= 3 ? code : null;
      };
      expect(await open().send(delivery({ brokers: cluster.addresses }))).toMatchObject({
        outcome: 'delivered',
      });
      expect(asked).toBe(4);
      expect(cluster.records).toHaveLength(1);
    },
  );

  it('fails with certainty, and says why, if the attempt ends before', async () => {
    const cluster = await start();
    cluster.faults = (request) => (request === 'InitProducerId' ? 14 : null);
    const short = delivery({ brokers: cluster.addresses, details: { timeoutMs: 500 } });
    expect(await open().send(short)).toMatchObject({
      outcome: 'failed',
      code: 'kafka_rejected',
      retryable: true,
      message: expect.stringContaining('COORDINATOR_LOAD_IN_PROGRESS'),
    });
    expect(cluster.records).toEqual([]);
  });
});

describe('the login of a channel of kind kafka', () => {
  it.each(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'])(
    'works with %s, without repeating the password',
    async (mechanism) => {
      const { addresses } = await start({ users: { postrider: 'pass,word=1' } });
      const brokers = addresses;
      expect(await open().send(delivery({ brokers, ...withLogin('pass,word=1', mechanism) }))).toMatchObject({
        outcome: 'delivered',
      });
      const facts: ExchangeFacts[] = [];
      const { config, details } = withLogin('wrong-password', mechanism);
      const reportExchange = (fact: ExchangeFacts) => facts.push(fact);
      const refused = await open().send(
        delivery({ brokers, config, details: { ...details, reportExchange } }),
      );
      expect(refused).toMatchObject({ outcome: 'failed', code: 'kafka_auth_failed', retryable: true });
      expect(JSON.stringify([refused, facts])).not.toContain('wrong-password');
      const none = delivery({ brokers, config, details: { credentials: {} } });
      expect(await open().send(none)).toMatchObject({ outcome: 'failed', code: 'kafka_auth_failed' });
    },
  );

  it('neither sends nor stores a key that an event makes too long', async () => {
    const { addresses: brokers, records } = await start();
    const facts: ExchangeFacts[] = [];
    const reportExchange = (fact: ExchangeFacts) => facts.push(fact);
    const send = (length: number) =>
      open().send(
        delivery({
          brokers,
          config: { key: '{{ recipient.id }}{{ recipient.id }}' },
          details: { reportExchange, recipient: { id: 'é'.repeat(length) } },
        }),
      );
    expect(await send(1_025)).toMatchObject({ outcome: 'failed', code: 'kafka_rejected', retryable: false });
    expect([facts, records]).toEqual([[], []]);
    expect(await send(1_024)).toMatchObject({ outcome: 'delivered' });
  });

  it('refuses more iterations than a real broker uses', async () => {
    const { addresses } = await start({ users: { postrider: 'p' }, iterations: 32_769 });
    const result = await open().send(delivery({ brokers: addresses, ...withLogin('p') }));
    expect(result).toMatchObject({ outcome: 'failed', code: 'kafka_auth_failed' });
  });

  it('uses TLS only with brokers whose certificates come from the given authorities', async () => {
    const authority = await createAuthority('Brokers');
    const { addresses: brokers } = await start({ tls: await authority.issue('broker') });
    expect(
      await open().send(delivery({ brokers, config: { tls: true, ca: authority.certificate } })),
    ).toMatchObject({
      outcome: 'delivered',
    });
    expect(await open().send(delivery({ brokers, config: { tls: true } }))).toMatchObject({
      outcome: 'failed',
      code: 'kafka_connection_failed',
      retryable: true,
    });
  });

  it('presents its client certificate to brokers that request one', async () => {
    const authority = await createAuthority('Clients');
    const { certificate, privateKey } = await authority.issue('postrider');
    const { addresses: brokers } = await start({
      tls: { ...(await authority.issue('broker')), clients: authority.certificate },
    });
    const config = { tls: true, ca: authority.certificate };
    const withCertificate = (credentials: Record<string, string>) =>
      open().send(delivery({ brokers, config: { ...config, certificate }, details: { credentials } }));
    expect(await withCertificate({ private_key: privateKey })).toMatchObject({ outcome: 'delivered' });
    expect(await open().send(delivery({ brokers, config }))).toMatchObject({
      ...{ outcome: 'failed', code: 'kafka_connection_failed', retryable: true },
    });
    expect(await withCertificate({})).toMatchObject({ outcome: 'failed', code: 'kafka_auth_failed' });
  });
});

describeWith(await findKcat(), 'a channel of kind kafka, with the mock cluster of librdkafka', (root) => {
  let mock: KafkaMock;
  beforeAll(async () => {
    mock = await startKafkaMock(root, 'orders');
  }, START_LIMIT_MS);
  afterAll(() => mock?.stop());

  it('writes records that its consumer reads unchanged', async () => {
    const sender = open();
    const sent = ['A-1042', 'ünïcode', null];
    for (const orderingKey of [...sent, ...sent]) {
      expect(
        await sender.send(delivery({ brokers: mock.brokers, orderingKey, body: '{"n":"é"}' })),
      ).toMatchObject({
        outcome: 'delivered',
      });
    }
    await waitFor('the records', () => mock.records.length === 6);
    expect(mock.records.map(({ key }) => key).sort()).toEqual([...sent, ...sent].sort());
    for (const record of mock.records) {
      expect(record).toMatchObject({ payload: '{"n":"é"}', ts: Date.parse('2026-11-21T09:30:00.000Z') });
      expect(record.headers.join(' ')).toContain(`postrider-run-id ${RUN_ID}`);
    }
  });
});
