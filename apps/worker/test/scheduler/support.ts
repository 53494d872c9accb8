import { randomUUID } from 'node:crypto';
import type { ChannelClaim, ChannelFacts, ClaimAsk, ClaimedRun, LimitedClaim } from '@postrider/db';
import { createAcquirePermits, createSlots, type RunPermits } from '../../src/scheduler/permits.ts';
import { createScheduler } from '../../src/scheduler/scheduler.ts';
import { openGate } from '../support/open-gate.ts';

/** A claim without runs. */
export const EMPTY: ChannelClaim = {
  ...{ runs: [], counted: 0, read: 0, isFull: false, lastDue: null, waitsForRender: false },
  ...{ hasLimits: false, refused: [], now: new Date(), limitedBy: null },
};

const runOf = (channelId: string): ClaimedRun =>
  ({ runId: randomUUID(), templateVersionId: null, channel: { id: channelId } }) as unknown as ClaimedRun;

/** A claim with `runs` runs, as many as it asked for if it is full. */
export const found = (
  channelId: string,
  runs: number,
  changes: Partial<ChannelClaim> = {},
): ChannelClaim => ({
  ...EMPTY,
  runs: Array.from({ length: runs }, () => runOf(channelId)),
  counted: runs,
  read: runs,
  lastDue: new Date(),
  ...changes,
});

/** A promise that is resolved from outside. */
export function createGate<Value = void>() {
  let open: (value: Value) => void = () => undefined;
  const opened = new Promise<Value>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** A delivery that a test ends. */
export interface OpenDelivery {
  readonly run: ClaimedRun;
  readonly permits: RunPermits;
  end(): void;
}

interface World {
  readonly total?: number;
  readonly claim?: (ask: ClaimAsk) => Promise<ChannelClaim | null>;
  readonly claimWithin?: (ask: ClaimAsk) => Promise<LimitedClaim>;
  readonly refuse?: (runIds: readonly string[]) => Promise<number>;
  readonly tenantOf?: (channelId: string) => string;
  readonly monotonicMs?: () => number;
}

/** A scheduler whose claims and deliveries are those of the test. */
export function createWorld({
  total = 100,
  claim = async () => EMPTY,
  claimWithin = () => Promise.reject(new Error('no limits')),
  refuse = async (runIds) => runIds.length,
  tenantOf = () => 'tenant',
  monotonicMs = () => performance.now(),
}: World = {}) {
  const slots = createSlots({ total });
  const asks: ClaimAsk[] = [];
  const open: OpenDelivery[] = [];
  const wokenElsewhere: { readonly channelId: string; readonly dueMs: number | null }[] = [];
  const errors: unknown[] = [];
  const scheduler = createScheduler({
    slots,
    acquire: createAcquirePermits(slots, openGate()),
    factsOf: async (channelId): Promise<ChannelFacts> => ({
      ...{ channelId, environmentId: randomUUID(), tenantId: tenantOf(channelId), kind: 'webhook' },
    }),
    claims: {
      claim(ask) {
        asks.push(ask);
        return claim(ask);
      },
      claimWithin(ask) {
        asks.push(ask);
        return claimWithin(ask);
      },
      refuse: (_channel, runIds) => refuse(runIds),
    },
    deliver(run, permits) {
      const { open: end, opened } = createGate();
      const delivery = { run, permits, end };
      open.push(delivery);
      return opened.then(() => {
        open.splice(open.indexOf(delivery), 1);
        permits.render?.release();
        permits.slot.release(true);
      });
    },
    wakeAnother: ({ channelId }, dueMs) => wokenElsewhere.push({ channelId, dueMs }),
    newId: randomUUID,
    onError: (error) => errors.push(error),
    jitter: () => 0,
    monotonicMs,
  });
  return { scheduler, slots, asks, open, wokenElsewhere, errors };
}
