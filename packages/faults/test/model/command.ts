import { expect } from '@postrider/testing';
import type fc from 'fast-check';
import { BOUNDS, isWaiting, type Model, type ModelRun } from './model.ts';
import type { System } from './system.ts';

export type Command = fc.AsyncCommand<Model, System>;

/** A command that compares every run with the model's afterwards. */
export function command(
  name: string,
  check: (model: Model) => boolean,
  run: (model: Model, system: System) => Promise<void>,
): Command {
  return {
    check,
    async run(model, system) {
      await run(model, system);
      expect(await system.observe()).toEqual(
        model.runs.map((run) => ({
          ...{ status: run.status, fence: run.fence, attempts: run.attempts },
          isHeld: run.isHeld && isWaiting(run),
          isHeldForStream: run.isHeldForStream && isWaiting(run),
        })),
      );
    },
    toString: () => name,
  };
}

/** Maps any number to an index. */
export const choose = (choice: number, length: number) => choice % length;

export const holdsQuota = (model: Model) => model.charged < BOUNDS.events;
export const anyChannel = (model: Model) => model.channelEnabled.includes(true);
export const isKeyFree = (model: Model, key: number) => (model.keys.get(key) ?? 0) <= model.now;

export const isDue = (model: Model) => (run: ModelRun) =>
  run.dueAt <= model.now && !run.isHeld && !run.isHeldForStream && isWaiting(run);
