import { createAuthority } from '@postrider/rig/certificates';
import { describe, expect, it } from '@postrider/testing';
import type { ExchangeFacts } from '../../src/sender.ts';
import { RUN_ID } from '../support/delivery.ts';
import { closeAfterEach, delivery, open, start } from './send.ts';

closeAfterEach();

/** Collects the facts about an exchange. */
function factsOf() {
  const facts: ExchangeFacts[] = [];
  return { facts, reportExchange: (fact: ExchangeFacts) => void facts.push(fact) };
}

describe('a channel of kind kafka', () => {
  it('writes the body with its identifying headers, by its ordering key, and reports where it is stored', async () => {
    const { addresses, records } = await start({ brokers: 2 });
    const { facts, reportExchange } = factsOf();
    const result = await open().send(
      delivery({
        brokers: addresses,
        orderingKey: 'A-1042',
        details: { attemptNumber: 2, message: { test: true }, sequence: 7, reportExchange },
      }),
    );
    const partition = records[0]?.partition;
    expect(result).toEqual({
      ...{ status: 'succeeded', error: null },
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

  it('sends a run to the same partition on every attempt, and spreads runs without a key', async () => {
    const { addresses: brokers, records } = await start({ partitions: 5 });
    const sender = open();
    for (let n = 0; n < 40; n += 1) {
      await sender.send(delivery({ brokers, details: { runId: `run_${n % 20}` } }));
    }
    const partitions = records.map(({ partition }) => partition);
    expect(partitions.slice(20)).toEqual(partitions.slice(0, 20));
    expect(new Set(partitions).size).toBeGreaterThan(2);
  });

  it('keeps its connection until the channel changes or the sender closes', async () => {
    const cluster = await start();
    const sender = open();
    for (const revision of [1, 1, 2]) {
      await sender.send(delivery({ brokers: cluster.addresses, details: { revision } }));
    }
    expect(cluster.connections()).toBe(2);
  });

  it.each([
    [10, 'failed', 'kafka_rejected', false],
    [19, 'failed', 'kafka_rejected', true],
    [20, 'unknown', 'kafka_outcome_unknown', true],
    [29, 'failed', 'kafka_auth_failed', true],
  ] as const)('error %i of a record is %s, %s, retried: %s', async (code, outcome, errorCode, retryable) => {
    const cluster = await start();
    cluster.faults = (request) => (request === 'Produce' ? code : null);
    expect(await open().send(delivery({ brokers: cluster.addresses }))).toMatchObject({
      status: outcome,
      response: { statusCode: code, bodyExcerpt: null },
      error: { code: errorCode, retryable },
    });
  });

  it('needs no producer id if it is not idempotent', async () => {
    const cluster = await start();
    const plain = delivery({ brokers: cluster.addresses, config: { idempotent: false } });
    expect(await open().send(plain)).toMatchObject({ status: 'succeeded' });
    expect(cluster.requests).not.toContain('InitProducerId');
  });

  it('neither sends nor stores a key that an event makes too long', async () => {
    const { addresses: brokers, records } = await start();
    const { facts, reportExchange } = factsOf();
    const send = (length: number) =>
      open().send(
        delivery({
          brokers,
          config: { key: '{{ recipient.id }}{{ recipient.id }}' },
          details: { reportExchange, message: { recipient: { id: 'é'.repeat(length) } } },
        }),
      );
    expect(await send(1_025)).toMatchObject({
      status: 'failed',
      error: { code: 'kafka_rejected', retryable: false },
    });
    expect([facts, records]).toEqual([[], []]);
    expect(await send(1_024)).toMatchObject({ status: 'succeeded' });
  });
});

describe('the login of a channel of kind kafka', () => {
  it('never repeats the password, and is a failed attempt without a response if it is refused or missing', async () => {
    const { addresses: brokers } = await start({ users: { postrider: 'pass,word=1' } });
    const config = { mechanism: 'SCRAM-SHA-256', username: 'postrider' };
    const { facts, reportExchange } = factsOf();
    const send = (credentials: Record<string, string>) =>
      open().send(delivery({ brokers, config, details: { credentials, reportExchange } }));
    expect(await send({ password: 'pass,word=1' })).toMatchObject({ status: 'succeeded' });
    const failed = {
      status: 'failed',
      response: null,
      error: { code: 'kafka_auth_failed', retryable: true },
    };
    const refused = await send({ password: 'wrong-password' });
    expect(refused).toMatchObject(failed);
    expect(JSON.stringify([refused, facts])).not.toContain('wrong-password');
    expect(await send({})).toMatchObject(failed);
  });

  it('uses TLS only with brokers whose certificates come from the given authorities', async () => {
    const authority = await createAuthority('Brokers');
    const { addresses: brokers } = await start({ tls: await authority.issue('broker') });
    expect(
      await open().send(delivery({ brokers, config: { tls: true, ca: authority.certificate } })),
    ).toMatchObject({ status: 'succeeded' });
    expect(await open().send(delivery({ brokers, config: { tls: true } }))).toMatchObject({
      status: 'failed',
      error: { code: 'kafka_connection_failed', retryable: true },
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
    expect(await withCertificate({ private_key: privateKey })).toMatchObject({ status: 'succeeded' });
    expect(await open().send(delivery({ brokers, config }))).toMatchObject({
      status: 'failed',
      error: { code: 'kafka_connection_failed', retryable: true },
    });
    expect(await withCertificate({})).toMatchObject({
      status: 'failed',
      error: { code: 'kafka_auth_failed' },
    });
  });
});
