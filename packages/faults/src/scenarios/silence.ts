import { setTimeout as wait } from 'node:timers/promises';
import { untilDrained } from '../drain.ts';
import { countOwnExits } from './answers.ts';
import type { Stretch } from './outage.ts';
import type { Context, Figures } from './scenario.ts';
import { underLoad, untilNextAnswer, untilNextSend, untilWarm } from './steps.ts';

/**
 * How a store falls silent. `connections`: those that exist, while new ones work. `network`: every connection, until it
 * works again. `server`: the server is stopped (SIGSTOP) and continued.
 */
type Silence = 'connections' | 'network' | 'server';
const SILENCES: readonly Silence[] = ['connections', 'network', 'server'];

/** Longer than the service's clients leave a connection unused without noticing anything. */
const QUIET_MS = 14_000;
/** How long `network` and `server` last, and `connections` if sends go on: longer than any statement or command may take. */
const SILENT_MS = 15_000;
/** The last part of a silence. If sends stop, nothing may arrive in it: a silence that stops nothing proves nothing. */
const LAST_MS = 5_000;
/** Events before the quiet period, so that every process has connections, and again before the load ends. */
const EVENTS = 80;
const PASSES = { short: 1, long: 5 };

export interface SilentStore {
  readonly store: 'postgres' | 'redis';
  /**
   * Within how many milliseconds sends arrive again, by silence: from its beginning for `connections`, otherwise from its end.
   * Null: sends go on.
   */
  readonly resumeMs: Readonly<Record<Silence, number>> | null;
  /** Called during each silence of the whole store. */
  readonly whileSilent?: (context: Context) => Promise<void>;
}

/** Makes the store silent for as long as `work` takes. */
async function silently(
  { stack }: Context,
  store: SilentStore['store'],
  silence: Silence,
  work: () => Promise<void>,
) {
  const proxy = stack.storeProxies?.[store];
  if (!proxy) throw new Error('the stack has no proxies in front of its stores');
  if (silence === 'connections') {
    proxy.silence();
    return work();
  }
  if (silence === 'network') proxy.set('swallow');
  else await stack[store].pause();
  try {
    await work();
  } finally {
    if (silence === 'network') proxy.set(null);
    else stack[store].resume();
  }
}

async function untilAnswered(fault: string, answered: () => number): Promise<void> {
  while (answered() < EVENTS) await untilNextAnswer(fault, answered);
}

/** Waits for as long as a store is silent, and checks whether sends stop. */
async function endure({ stack, expect }: Context, doSendsStop: boolean): Promise<void> {
  await wait(SILENT_MS - LAST_MS);
  const before = stack.sends.sends.length;
  await wait(LAST_MS);
  const sent = stack.sends.sends.length - before;
  if (doSendsStop) expect(sent === 0, `nothing is sent while the store is silent; ${sent} sends arrived`);
  else expect(sent > 0, 'sends go on while the store is silent');
}

/** What a series of silences showed. */
interface Silences {
  readonly figures: Figures;
  /** When the workers kept up with the load, in milliseconds since 1970. */
  readonly warmAt: number;
  readonly stretches: readonly Stretch[];
}

/**
 * Lets the service rest for longer than its clients watch a connection, makes the store silent, and sends events meanwhile.
 * Each kind of silence comes in each pass.
 */
export async function fallSilent(
  context: Context,
  { store, resumeMs, whileSilent }: SilentStore,
): Promise<Silences> {
  const { stack, amount, expect } = context;
  const stretches: Stretch[] = [];
  const resumed: Record<Silence, number[]> = { connections: [], network: [], server: [] };
  let warmAt = 0;
  await underLoad(context, async (answered) => {
    warmAt = await untilWarm(context, answered);
  });
  const passes = Array.from({ length: amount(PASSES.short, PASSES.long) }, () => SILENCES).flat();
  for (const silence of passes) {
    await underLoad(context, (answered) => untilAnswered('the last silence', answered));
    await untilDrained(stack.db);
    await wait(QUIET_MS);
    await underLoad(context, async (answered) => {
      const from = Date.now();
      let tookMs: number | null = null;
      await silently(context, store, silence, async () => {
        if (resumeMs && silence === 'connections') tookMs = await untilNextSend(context);
        else await Promise.all([endure(context, resumeMs !== null), whileSilent?.(context)]);
      });
      stretches.push({ from, to: Date.now() });
      if (resumeMs) {
        const bound = resumeMs[silence];
        tookMs ??= await untilNextSend(context);
        resumed[silence].push(tookMs);
        expect(tookMs <= bound, `sends resume within ${bound} ms (${silence}); it took ${tookMs} ms`);
      }
      await untilAnswered(silence, answered);
    });
  }
  const figures = {
    silences: passes.length,
    ...(resumeMs && {
      resumed_ms: SILENCES.map((silence) => `${silence} ${Math.max(...resumed[silence])}`).join(', '),
    }),
    own_exits: countOwnExits(context),
  };
  return { figures, warmAt, stretches };
}
