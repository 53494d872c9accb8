import { failedWith, SUCCEEDED } from '@postrider/db/testing';
import { expect } from '@postrider/testing';
import fc from 'fast-check';
import { takeBeforeCommit, takeBesideLock, takeChannel } from './claims.ts';
import { anyChannel, type Command, choose, command, holdsQuota, isDue, isKeyFree } from './command.ts';
import {
  addRuns,
  after,
  BOUNDS,
  claim,
  end,
  heldRuns,
  isHolder,
  isWaiting,
  type Model,
  type ModelRun,
  runAt,
  scheduledRuns,
} from './model.ts';

const always = () => true;
const hasRuns = (model: Model) => model.runs.length > 0;
const hasHeld = (model: Model) => model.held.length > 0;

const ingest = (key: number, delay: number | null, inStream: boolean) =>
  command(
    `ingest(key ${key}, ${delay === null ? 'now' : `in ${delay} s`}${inStream ? ', in the stream' : ''})`,
    anyChannel,
    async (model, system) => {
      const expected = !isKeyFree(model, key)
        ? 'duplicate'
        : holdsQuota(model)
          ? 'accepted'
          : 'quota_exceeded';
      expect(await system.ingest(key, { delaySeconds: delay, inStream }, model)).toBe(expected);
      if (expected === 'accepted') {
        model.keys.set(key, model.now + BOUNDS.keyLife);
        addRuns(model, model.inStream.length, delay);
        model.inStream.push(inStream);
      }
      expect(await system.hasAnswer(key)).toBe((model.keys.get(key) ?? 0) > model.now);
    },
  );

const replay = (choice: number) =>
  command(
    `replay(${choice})`,
    (model) => model.inStream.length > 0 && anyChannel(model),
    async (model, system) => {
      const expected = holdsQuota(model) ? 'accepted' : 'quota_exceeded';
      const message = choose(choice, model.inStream.length);
      expect(await system.replay(message, model)).toBe(expected);
      if (expected === 'accepted') addRuns(model, message, null);
    },
  );

/** Cancels in the model and returns the answer that a cancel must give. */
function cancelInModel(run: ModelRun): 'cancelled' | 'not_cancellable' {
  const cancelled = after('cancel', run.status);
  if (!cancelled) return 'not_cancellable';
  run.status = cancelled;
  run.attempts.push('cancelled');
  return 'cancelled';
}

const cancel = (choice: number) =>
  command(`cancel(${choice})`, hasRuns, async (model, system) => {
    const index = choose(choice, model.runs.length);
    expect(await system.cancel(index)).toBe(cancelInModel(runAt(model, index)));
  });

/** Cancels every run of a message that is still scheduled, and no other. */
const cancelWhole = (choice: number) =>
  command(
    `cancel message(${choice})`,
    (model) => model.inStream.length > 0,
    async (model, system) => {
      const message = choose(choice, model.inStream.length);
      const waiting = scheduledRuns(model, message);
      expect(await system.cancelMessage(message)).toBe(waiting.length);
      for (const run of waiting) cancelInModel(run);
    },
  );

/** Reschedules every run of a message that is still scheduled, and no other. A past time means now. */
const reschedule = (choice: number, delay: number) =>
  command(
    `reschedule(${choice}, in ${delay} s)`,
    (model) => model.inStream.length > 0,
    async (model, system) => {
      const message = choose(choice, model.inStream.length);
      const waiting = scheduledRuns(model, message);
      expect(await system.reschedule(message, delay)).toBe(waiting.length);
      for (const run of waiting) {
        run.dueAt = model.now + Math.max(0, delay);
        Object.assign(run, { isHeld: false, isHeldForStream: false, isReleased: false });
      }
    },
  );

function releaseInModel(model: Model, channel: number): void {
  for (const run of heldRuns(model, channel)) {
    Object.assign(run, { isHeld: false, isHeldForStream: false, isReleased: true, dueAt: model.now });
  }
}

/** Claims hold the runs of a paused channel. Resuming it releases all held runs; another pause holds them again. */
const setPaused = (index: number, isPaused: boolean) =>
  command(
    `${isPaused ? 'pause' : 'resume'}(channel ${index})`,
    (model) => model.channelPaused[index] !== isPaused,
    async (model, system) => {
      await (isPaused ? system.pause(index) : system.resume(index));
      model.channelPaused[index] = isPaused;
      for (const run of model.runs) {
        if (isPaused && run.channel === index && run.isReleased && isWaiting(run)) {
          Object.assign(run, { isHeld: true, isReleased: false });
        }
      }
      if (isPaused) return;
      model.runsAtResume[index] = model.runs.length;
      releaseInModel(model, index);
    },
  );

/** Claims hold the runs of a paused stream. After a resume they are released with those of their channel. */
const setStreamPaused = (isPaused: boolean) =>
  command(
    `${isPaused ? 'pause' : 'resume'}(stream)`,
    (model) => model.isStreamPaused !== isPaused,
    async (model, system) => {
      await system.setStreamPaused(isPaused);
      model.isStreamPaused = isPaused;
    },
  );

/** Releases the runs that were held after the resume of their channel, or until that of their stream. */
const releaseHeld = (index: number) =>
  command(
    `release held runs(channel ${index})`,
    (model) => !model.channelPaused[index] && heldRuns(model, index).length > 0,
    async (model, system) => {
      await system.releaseHeld(index);
      releaseInModel(model, index);
    },
  );

const take = (choice: number) =>
  command(`claim(${choice})`, hasRuns, async (model, system) => {
    const index = choose(choice, model.runs.length);
    expect(await system.claim(index)).toBe(claim(model, index));
  });

/** Claims the run that a worker would find: the first due one. */
const takeDue = () =>
  command(
    'claim due',
    (model) => model.runs.some(isDue(model)),
    async (model, system) => {
      const index = model.runs.findIndex(isDue(model));
      expect(await system.claim(index)).toBe(claim(model, index));
    },
  );

const STATUSES = {
  succeed: 'succeeded',
  retry: 'failed',
  retryUnknown: 'unknown',
  giveUp: 'failed',
} as const;

/** Stores the result of a claim that may have been lost meanwhile, or whose result is already stored. */
const finish = (choice: number, result: keyof typeof STATUSES, delay: number) =>
  command(`finish(${choice}, ${result}, ${delay} s)`, hasHeld, async (model, system) => {
    const held = model.held[choose(choice, model.held.length)];
    if (!held) return;
    const run = runAt(model, held.run);
    const isLast = held.attemptNumber >= BOUNDS.maxAttempts;
    const step = result === 'retryUnknown' ? 'retry' : result;
    const next =
      step === 'succeed'
        ? ({ status: 'succeeded' } as const)
        : step === 'retry' && !isLast
          ? ({ status: 'retrying', delayMs: delay * 1_000 } as const)
          : ({ status: 'failed' } as const);
    const { fence, attemptNumber } = held;
    const holder = isHolder(run, held);
    const status = STATUSES[result];
    const outcome =
      status === 'succeeded' ? SUCCEEDED : { ...failedWith('webhook_http_error', next), status };
    const written = await system.finish(held.run, { fence, attemptNumber }, outcome);
    expect(written).toBe(holder ? 'finished' : 'stale');
    if (!holder) return;
    end(run, step, status);
    if (next.status === 'retrying') run.dueAt = model.now + delay;
  });

/** The worker crashes, and its claims are lost. */
const crash = (choice: number) =>
  command(`crash(${choice})`, hasHeld, async (model) => {
    model.held.splice(choose(choice, model.held.length), 1);
  });

/** Two sweepers at once. */
const release = () =>
  command('release expired leases', always, async (model, system) => {
    const lost = model.runs.filter((run) => run.status === 'running' && run.leaseUntil < model.now);
    const counts = await Promise.all([system.release(), system.release()]);
    expect(counts[0] + counts[1]).toBe(lost.length);
    for (const run of lost) {
      end(run, 'retry', 'unknown');
      run.dueAt = model.now;
    }
  });

const advance = (seconds: number) =>
  command(`advance(${seconds} s)`, always, async (model, system) => {
    await system.advance(seconds);
    model.now += seconds;
  });

const setChannel = (index: number, enabled: boolean) =>
  command(
    `${enabled ? 'enable' : 'disable'}(channel ${index})`,
    (model) => model.channelEnabled[index] !== enabled,
    async (model, system) => {
      await system.setChannel(index, enabled);
      model.channelEnabled[index] = enabled;
    },
  );

/** A cancel and a claim at once: the row lets exactly one of them win. */
const cancelAgainstClaim = (choice: number) =>
  command(
    `cancel against claim(${choice})`,
    (model) => dueScheduled(model).length > 0,
    async (model, system) => {
      const candidates = dueScheduled(model);
      const index = candidates[choose(choice, candidates.length)] ?? 0;
      const [cancelled, claimed] = await Promise.all([system.cancel(index), system.claim(index)]);
      if (cancelled === 'cancelled') {
        expect(claimed).toBe('not_claimable');
        cancelInModel(runAt(model, index));
      } else {
        expect(cancelled).toBe('not_cancellable');
        expect(claimed).toBe(claim(model, index));
      }
    },
  );

/** Scheduled runs that are due. Leaves out paused channels and streams, where a claim holds the run, which stays cancellable. */
const dueScheduled = (model: Model): number[] =>
  model.runs.flatMap((run, index) => {
    const isPaused =
      model.channelPaused[run.channel] || (model.isStreamPaused && model.inStream[run.message]);
    return run.status === 'scheduled' && isDue(model)(run) && !isPaused ? [index] : [];
  });

const choice = fc.nat({ max: 1_000 });

/**
 * Every command, the frequent ones twice. All times are multiples of 30 s and the lease lasts 70 s, so the few seconds
 * that a sequence takes to run cannot change what the model decides.
 */
export const COMMANDS: fc.Arbitrary<Command>[] = [
  fc.tuple(fc.nat({ max: 3 }), fc.constantFrom(null, 60, 7_200), fc.boolean()).map((args) => ingest(...args)),
  fc.tuple(fc.nat({ max: 9 }), fc.constantFrom(null, 60), fc.boolean()).map((args) => ingest(...args)),
  choice.map(replay),
  choice.map(cancel),
  choice.map(take),
  fc.constant(null).map(takeDue),
  fc.nat({ max: BOUNDS.channels - 1 }).map(takeChannel),
  fc.nat({ max: BOUNDS.channels - 1 }).map(takeChannel),
  fc.tuple(fc.nat({ max: BOUNDS.channels - 1 }), choice).map((args) => takeBesideLock(...args)),
  fc.tuple(fc.nat({ max: BOUNDS.channels - 1 }), fc.nat({ max: 9 })).map((args) => takeBeforeCommit(...args)),
  fc
    .tuple(
      choice,
      fc.constantFrom('succeed', 'retry', 'retryUnknown', 'giveUp'),
      fc.constantFrom(0, 60, 1_800),
    )
    .map(([chosen, result, delay]) => finish(chosen, result as keyof typeof STATUSES, delay)),
  choice.map(crash),
  fc.constant(null).map(release),
  fc.constantFrom(30, 60, 1_800, 7_200, 90_000).map(advance),
  fc.tuple(fc.nat({ max: BOUNDS.channels - 1 }), fc.boolean()).map((args) => setChannel(...args)),
  choice.map(cancelAgainstClaim),
  choice.map(cancelWhole),
  fc.tuple(choice, fc.constantFrom(-60, 60, 7_200)).map((args) => reschedule(...args)),
  fc.tuple(fc.nat({ max: BOUNDS.channels - 1 }), fc.boolean()).map((args) => setPaused(...args)),
  fc.boolean().map(setStreamPaused),
  fc.nat({ max: BOUNDS.channels - 1 }).map(releaseHeld),
];
