import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { orRefusal } from '@postrider/domain';
import { createFairSemaphore } from '@postrider/fairness';
import { describe, expect, it } from '@postrider/testing';
import {
  createParseOneByOne,
  createPipeline,
  environmentStages,
  type PipelineDeps,
} from '../../src/pipeline/index.ts';
import type { ApiRequest, FirstStage } from '../../src/pipeline/stage.ts';

const LARGE = 16 * 1024;

/** A request with only the fields that the stage reads. */
const requestOf = (owner: string, bytes: number, part = 'token') =>
  ({ holder: { owner, part }, bytes: new Uint8Array(bytes) }) as unknown as ApiRequest;

describe('large bodies, one by one', () => {
  it('admits one in each turn of the event loop, for tenants in turn', async () => {
    const parseOneByOne = createParseOneByOne(() => undefined);
    const passed: string[] = [];
    const send = (tenant: string, name: string) =>
      Promise.resolve(parseOneByOne(requestOf(tenant, LARGE))).then(() => passed.push(name));
    const all = Promise.all([
      send('greedy', 'a1'),
      send('greedy', 'a2'),
      send('greedy', 'a3'),
      send('other', 'b1'),
    ]);
    const perTurn: number[] = [];
    let before = 0;
    while (passed.length < 4) {
      await nextTurn();
      perTurn.push(passed.length - before);
      before = passed.length;
    }
    await all;
    expect(passed.indexOf('b1')).toBeLessThan(passed.indexOf('a3'));
    expect(Math.max(...perTurn)).toBe(1);
  });

  it('admits a small body at once while large ones wait', async () => {
    const parseOneByOne = createParseOneByOne(() => undefined);
    const large = [1, 2, 3].map(() => parseOneByOne(requestOf('greedy', LARGE)));
    const small = requestOf('greedy', LARGE - 1);
    expect(parseOneByOne(small)).toBeUndefined();
    await Promise.all(large);
  });

  it('refuses a tenant with too many waiting large bodies', async () => {
    const parseOneByOne = createParseOneByOne(() => undefined);
    const outcomes = await Promise.all(
      Array.from({ length: 300 }, () => orRefusal(async () => parseOneByOne(requestOf('greedy', LARGE)))),
    );
    const refused = outcomes.filter((outcome) => outcome !== undefined);
    expect(refused).toHaveLength(300 - 257);
    expect(refused[0]).toMatchObject({ refused: 'service_unavailable', headers: { 'Retry-After': '1' } });
  });

  it('admits one in each turn also if they waited for the same look-up of their caller', async () => {
    let found = () => {};
    const look = new Promise<void>((resolve) => {
      found = resolve;
    });
    const parseOneByOne = createParseOneByOne(() => look);
    let passed = 0;
    const admit = async () => {
      await parseOneByOne(requestOf('greedy', LARGE));
      passed += 1;
    };
    const all = Promise.all(Array.from({ length: 5 }, admit));
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    found();
    const perTurn: number[] = [];
    while (passed < 5) {
      const before = passed;
      await nextTurn();
      perTurn.push(passed - before);
    }
    await all;
    expect(Math.max(...perTurn)).toBe(1);
  });

  it('answers a repeated large event with its stored response, also while too many wait', async () => {
    const body = Buffer.alloc(LARGE, ' ');
    const requestWith = (key: string) => ({
      http: {
        headers: { 'content-type': 'application/json', 'content-length': LARGE, 'idempotency-key': key },
        readableLength: LARGE,
        read: () => body,
      },
      res: { once: () => undefined },
      ...{
        tokenId: 'token',
        consumerId: null,
        actor: 'operator',
        params: {},
        context: { facts: {} },
      },
      onDecided: () => undefined,
    });
    const unlimited = createFairSemaphore({
      total: 2 ** 30,
      perOwner: 2 ** 30,
      maxWaiting: 0,
      maxWaitingPerOwner: 0,
    });
    const pipeline = createPipeline(
      async () =>
        ({
          consumerId: null,
          holder: { owner: 'greedy', part: 'token' },
          scopes: new Set(),
          snapshot: {
            tenant: { id: 'greedy' },
            environment: { id: randomUUID() },
            settings: { idempotencyKeys: 'uuid' },
            plan: { requestsPerSecond: null, maxPayloadBytes: null },
          },
        }) as unknown as Awaited<ReturnType<FirstStage>>,
      environmentStages({
        turns: { take: () => true },
        bytesInFlight: unlimited,
        monotonicMs: () => 0,
        findStoredResponse: async ({ fingerprint }: { fingerprint: Uint8Array }) => ({
          ...{ fingerprint, status: 201, body: Buffer.from('stored') },
        }),
      } as unknown as PipelineDeps),
    );
    const operation = {
      memory: 0,
      scope: 'events:write',
      body: { schema: {}, examples: {} },
      traits: {
        idempotency: { operation: 'events.create', key: 'required' },
        ...{ acceptsFiles: false, checksQuotaAndPayment: false },
      },
    };
    const passed = { status: 200, body: Buffer.from('passed') };
    const all = await Promise.all(
      Array.from({ length: 300 }, () =>
        pipeline({ ...requestWith(randomUUID()), operation } as never, async () => passed),
      ),
    );
    const replies = all.filter((reply) => reply !== passed);
    expect(replies).toHaveLength(300 - 257);
    expect(new Set(replies.map((reply) => 'status' in reply && reply.status))).toEqual(new Set([201]));
    expect(replies[0]).toMatchObject({ headers: { 'Idempotent-Replayed': 'true' } });
  });
});
