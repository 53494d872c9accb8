import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@postrider/testing';
import type { Identified } from '../../src/pipeline/stage.ts';
import { createParseOneByOne } from '../../src/pipeline/token-and-body.ts';

const LARGE = 16 * 1024;

/** A request of which the stage reads only these. */
const requestOf = (tenant: string, bytes: number, tokenId = 'token') =>
  ({ snapshot: { tenant: { id: tenant } }, tokenId, bytes: new Uint8Array(bytes) }) as unknown as Identified;

describe('large bodies, one by one', () => {
  it('admits one in each turn of the event loop, for tenants in turn', async () => {
    const parseOneByOne = createParseOneByOne();
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
    const parseOneByOne = createParseOneByOne();
    const large = [1, 2, 3].map(() => parseOneByOne(requestOf('greedy', LARGE)));
    const small = requestOf('greedy', LARGE - 1);
    expect(parseOneByOne(small)).toEqual({ passed: small });
    await Promise.all(large);
  });

  it('refuses a tenant with too many waiting large bodies', async () => {
    const parseOneByOne = createParseOneByOne();
    const steps = await Promise.all(
      Array.from({ length: 300 }, () => parseOneByOne(requestOf('greedy', LARGE))),
    );
    const refused = steps.flatMap((step) => ('reply' in step ? [step.reply] : []));
    expect(refused).toHaveLength(300 - 257);
    expect(refused[0]).toMatchObject({ refused: 'service_unavailable', headers: { 'Retry-After': '1' } });
  });
});
