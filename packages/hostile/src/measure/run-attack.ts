import { setTimeout as wait } from 'node:timers/promises';
import {
  type Attack,
  BOUNDS,
  type Bounds,
  type Outcome,
  SHORT_FORM_LATE_MS,
  SHORT_FORM_MB,
} from '../attack.ts';
import type { Target, TargetProcess } from '../target/target.ts';
import { type Observed, type Probe, quantile } from './probe.ts';
import { sample, type Usage, usageOf } from './processes.ts';

const POLL_MS = 200;
/** The longest time until the second tenant is served again after an attack, in milliseconds. */
const LIVENESS_DEADLINE_MS = 20_000;

export interface Three {
  readonly before: Usage | null;
  readonly during: Usage | null;
  readonly after: Usage | null;
}

/** The figures of one attack. */
export interface AttackReport {
  readonly name: string;
  readonly seconds: number;
  readonly api: Three;
  readonly worker: Three;
  /** Null if the form does not measure latency. */
  readonly baselineP99Ms: number | null;
  readonly duringP99Ms: number | null;
  readonly afterP99Ms: number | null;
  /** The slowest answer of /healthz: the longest time for which the API's event loop was blocked. */
  readonly stallMs: number;
  /** The longest time from the acceptance of an event of the second tenant to its delivery. */
  readonly deliveryLateMs: number;
  readonly failures: Readonly<Record<string, number>>;
  readonly recoveryMs: number;
  readonly figures: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
}

export interface RunOptions {
  readonly target: Target;
  readonly probe: Probe;
  readonly isLong: boolean;
}

const HOLD_MS = { short: 1_500, long: 12_000 };
/** The duration of the baseline. An attack is measured for at least as long, so that both p99 are of as many requests. */
const BASELINE_MS = { short: 0, long: 12_000 };

const isBack = (bounds: Bounds, before: Usage | null, now: Usage | null) =>
  before === null ||
  now === null ||
  (now.descriptors <= before.descriptors + bounds.extraDescriptors &&
    now.memoryMb <= before.memoryMb + bounds.extraMemoryMb);

/** Resolves as soon as the condition holds or the time is up. Returns the elapsed milliseconds. */
async function settle(deadlineMs: number, condition: () => Promise<boolean>): Promise<number> {
  const began = performance.now();
  while (!(await condition()) && performance.now() - began < deadlineMs) await wait(POLL_MS);
  return performance.now() - began;
}

function usageViolations(name: string, limitMb: number, bounds: Bounds, usage: Three): string[] {
  const { before, during, after } = usage;
  const violations: string[] = [];
  if (during && during.memoryMb > limitMb) {
    violations.push(`${name}: ${during.memoryMb} MB during the attack, at most ${limitMb}`);
  }
  if (!isBack(bounds, before, after)) {
    violations.push(
      `${name}: not back to normal ${bounds.recoveryMs} ms after the attack: ` +
        `${before?.memoryMb} → ${after?.memoryMb} MB, ${before?.descriptors} → ${after?.descriptors} descriptors`,
    );
  }
  return violations;
}

const endedViolations = (processes: readonly TargetProcess[]) =>
  processes
    .filter(({ hasEnded }) => hasEnded())
    .map(({ name, lastLines }) => `${name}: the process ended: ${lastLines().slice(-3).join(' | ')}`);

/** Waits until an event of the second tenant is accepted again. False if none is in time. */
async function isServed(probe: Probe): Promise<boolean> {
  let served = false;
  await settle(LIVENESS_DEADLINE_MS, async () => {
    const { eventsMs, failures } = await probe.take();
    served = eventsMs.length > 0 && Object.keys(failures).length === 0;
    return served;
  });
  return served;
}

const p99 = ({ eventsMs }: Observed) => (eventsMs.length === 0 ? null : quantile(eventsMs, 0.99));

function latencyViolations(bounds: Bounds, baseline: number | null, during: number | null): string[] {
  if (baseline === null) return [];
  if (during === null) return ['the second tenant had no answer during the attack'];
  const most = Math.max(baseline, bounds.latencyFloorMs) * bounds.latencyFactor;
  if (during <= most) return [];
  return [`the second tenant's p99 was ${during.toFixed(0)} ms, at most ${most.toFixed(0)}`];
}

/** The longest time from acceptance to delivery of the second tenant's runs since then, including open ones. */
async function latenessOf({ db, victim }: Target, since: Date): Promise<number> {
  const runs = await db.deliveryRun.findMany({
    where: { environmentId: victim.environmentId, createdAt: { gte: since } },
    select: { createdAt: true, completedAt: true },
  });
  const now = Date.now();
  return Math.max(0, ...runs.map((run) => (run.completedAt?.getTime() ?? now) - run.createdAt.getTime()));
}

const latenessViolations = ({ deliveryLateMs: most }: Bounds, lateMs: number) =>
  lateMs > most ? [`a delivery of the second tenant was ${lateMs} ms late, at most ${most}`] : [];

function failureViolations({ failures }: Observed): string[] {
  return Object.entries(failures).map(
    ([what, count]) => `${count} requests of the second tenant failed: ${what}`,
  );
}

function boundsOf(attack: Attack, isLong: boolean): Bounds {
  const bounds = { ...BOUNDS, ...attack.bounds };
  if (isLong) return bounds;
  return {
    ...bounds,
    apiMemoryMb: bounds.apiMemoryMb + SHORT_FORM_MB.peak,
    workerMemoryMb: bounds.workerMemoryMb + SHORT_FORM_MB.peak,
    extraMemoryMb: bounds.extraMemoryMb + SHORT_FORM_MB.after,
    deliveryLateMs: SHORT_FORM_LATE_MS,
  };
}

/** Runs one attack against a working target, and checks its effects. These never make it reject. */
export async function runAttack(
  attack: Attack,
  { target, probe, isLong }: RunOptions,
): Promise<AttackReport> {
  const bounds = boundsOf(attack, isLong);
  const form = isLong ? 'long' : 'short';
  const { api, worker } = target;
  const read = async () => ({ api: await usageOf(api), worker: await usageOf(worker) });
  await probe.take();
  await wait(BASELINE_MS[form]);
  const baseline = isLong ? await probe.take() : null;
  const before = await read();
  const samplers = { api: sample(api), worker: sample(worker) };
  const began = performance.now();
  const beganAt = new Date();
  const outcome = await attack
    .run({ target, amount: (short, long) => (isLong ? long : short), holdMs: HOLD_MS[form] })
    .catch((error: Error): Outcome => ({ violations: [`broke off: ${error.stack}`] }));
  const seconds = (performance.now() - began) / 1_000;
  // A p99 of few requests is meaningless, so the figures cover at least the duration of the baseline.
  await wait(Math.max(0, BASELINE_MS[form] - seconds * 1_000));
  const during = await probe.take();
  const deliveryLateMs = await latenessOf(target, beganAt);
  const peaks = { api: await samplers.api.stop(), worker: await samplers.worker.stop() };
  let after = await read();
  const recoveryMs = await settle(bounds.recoveryMs, async () => {
    after = await read();
    return isBack(bounds, before.api, after.api) && isBack(bounds, before.worker, after.worker);
  });
  const late = isLong ? await probe.take() : null;
  const hasEnded = api.hasEnded() || worker.hasEnded();
  const served = hasEnded || (await isServed(probe));
  const usage = {
    api: { before: before.api, during: peaks.api, after: after.api },
    worker: { before: before.worker, during: peaks.worker, after: after.worker },
  };
  const baselineP99Ms = baseline && p99(baseline);
  const duringP99Ms = p99(during);
  return {
    name: attack.name,
    seconds,
    ...usage,
    baselineP99Ms,
    duringP99Ms,
    afterP99Ms: late && p99(late),
    stallMs: Math.max(0, ...during.healthMs),
    deliveryLateMs,
    failures: during.failures,
    recoveryMs,
    figures: outcome.figures ?? {},
    violations: [
      ...(outcome.violations ?? []),
      ...endedViolations([api, worker]),
      ...usageViolations('api', bounds.apiMemoryMb, bounds, usage.api),
      ...usageViolations('worker', bounds.workerMemoryMb, bounds, usage.worker),
      ...latencyViolations(bounds, baselineP99Ms, duringP99Ms),
      ...latenessViolations(bounds, deliveryLateMs),
      ...failureViolations(during),
      ...(served ? [] : ['the second tenant was not served again after the attack']),
    ],
  };
}
