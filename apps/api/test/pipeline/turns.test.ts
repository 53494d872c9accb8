import { randomUUID } from 'node:crypto';
import { createSnapshots } from '@postrider/db';
import { createToken, formatId } from '@postrider/domain';
import { createEventLoopTurns, type EventLoopTurns } from '@postrider/fairness';
import { expect, it } from '@postrider/testing';
import type { AppDeps } from '../../src/app.ts';
import { REQUEST_SLICE } from '../../src/http/admission.ts';
import { useApi } from '../support/database.ts';
import { createGate, until } from '../support/waiting.ts';

const world = useApi();
const AT_ONCE = 200;
const MOST_BEFORE = 20;

/** Turns on a clock that advances a millisecond with each look, so that a slice ends after a few requests on any machine. */
function countedTurns(): EventLoopTurns {
  let nowMs = 0;
  return createEventLoopTurns(REQUEST_SLICE, () => {
    nowMs += 1;
    return nowMs;
  });
}

/** A gate at which requests wait, to continue all in one turn of the event loop. */
function createBarrier() {
  const gate = createGate();
  let waiting = 0;
  return {
    open: gate.open,
    waitingAre: (count: number) => until(() => waiting === count),
    async pass(): Promise<void> {
      waiting += 1;
      await gate.opened;
    },
  };
}

type Barrier = ReturnType<typeof createBarrier>;

/** The barrier is where a token has been found. */
function afterToken({ pass }: Barrier): Partial<AppDeps> {
  const snapshots = createSnapshots({ db: world.api().deps.db });
  const token: typeof snapshots.token = async (hash) => {
    const found = await snapshots.token(hash);
    if (found) await snapshots.environment(found.environmentId);
    await pass();
    return found;
  };
  return { snapshots: { ...snapshots, token } };
}

/** The barrier is between a refusal because of an exhausted quota, and its reply. */
const beforeReply = ({ pass }: Barrier): Partial<AppDeps> => ({
  findStoredResponse: async () => {
    await pass();
    return null;
  },
});

it.each([
  ['events', 'are refused after their token', afterToken, 'text/plain', 415],
  ['events with an unknown token', 'are refused', afterToken, 'text/plain', 401],
  ['events', 'get their reply', beforeReply, 'application/json', 402],
] as const)(
  `answers another tenant after a few of ${AT_ONCE} %s that %s in one turn of the event loop`,
  async (_what, _end, barrierIn, type, status) => {
    const barrier = createBarrier();
    const api = await world.more({ turns: countedTurns(), ...barrierIn(barrier) });
    const exhausted = { plan: { eventsPerMonth: 0 } };
    const [greedy, other] = await Promise.all([world.environment(exhausted), world.environment(exhausted)]);
    const send = async (token: string) => {
      const headers = {
        authorization: `Bearer ${token}`,
        'idempotency-key': randomUUID(),
        'content-type': type,
      };
      return (await fetch(`${api.url}/api/v1/events`, { method: 'POST', headers, body: '{}' })).status;
    };
    const theirs = Array.from({ length: AT_ONCE }, () =>
      send(status === 401 ? createToken('production') : greedy.token),
    );
    await barrier.waitingAre(AT_ONCE);
    const own = send(other.token);
    await barrier.waitingAre(AT_ONCE + 1);
    barrier.open();

    expect(new Set(await Promise.all(theirs))).toEqual(new Set([status]));
    await own;
    const owners = api.log.filter(({ message }) => message === 'request').map(({ tenant_id }) => tenant_id);
    expect(owners).toHaveLength(AT_ONCE + 1);
    expect(owners.indexOf(formatId('ten', other.tenantId))).toBeLessThanOrEqual(MOST_BEFORE);
  },
);
