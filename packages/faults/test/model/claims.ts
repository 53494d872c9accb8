import { expect } from '@postrider/testing';
import { anyChannel, choose, command, holdsQuota, isDue, isKeyFree } from './command.ts';
import { addRuns, BOUNDS, claim, type Model } from './model.ts';

/** The indices of the due runs of a channel. */
const dueOf = (model: Model, channel: number): number[] =>
  model.runs.flatMap((run, index) => (run.channel === channel && isDue(model)(run) ? [index] : []));

/** Claims these runs in the model and returns those that are sent. The others are held or ended. */
const claimAll = (model: Model, runs: readonly number[]) =>
  runs.filter((index) => claim(model, index) === 'claimed');

/**
 * A worker claims for a channel, as its scheduler does: every due run that may be sent is claimed, and the others are held or ended.
 * Before that, a poll finds the channel if it has due runs, whether or not its wake-ups were lost.
 */
export const takeChannel = (channel: number) =>
  command(
    `claim channel ${channel}`,
    (model) => model.runs.some((run) => run.channel === channel),
    async (model, system) => {
      const due = dueOf(model, channel);
      expect(await system.isPolled(channel)).toBe(due.length > 0);
      const sent = claimAll(model, due);
      expect(await system.claimChannel(channel)).toEqual(sent);
    },
  );

/** A worker claims for a channel while another transaction has locked one of its due runs. A poll still finds that run. */
export const takeBesideLock = (channel: number, choice: number) =>
  command(
    `claim channel ${channel} beside a lock(${choice})`,
    (model) => dueOf(model, channel).length > 0,
    async (model, system) => {
      const due = dueOf(model, channel);
      const locked = due[choose(choice, due.length)] ?? 0;
      const sent = claimAll(
        model,
        due.filter((index) => index !== locked),
      );
      expect(await system.whileLocked(locked, () => system.claimChannel(channel))).toEqual(sent);
      expect(await system.isPolled(channel)).toBe(true);
    },
  );

/** A worker claims for a channel before an older event is committed. A poll finds its run afterwards. */
export const takeBeforeCommit = (channel: number, key: number) =>
  command(
    `claim channel ${channel} before the commit of ingest(key ${key})`,
    (model) => anyChannel(model) && holdsQuota(model) && isKeyFree(model, key),
    async (model, system) => {
      const sent = claimAll(model, dueOf(model, channel));
      expect(await system.ingestAfter(key, model, () => system.claimChannel(channel))).toEqual(sent);
      model.keys.set(key, model.now + BOUNDS.keyLife);
      addRuns(model, model.inStream.length, null);
      model.inStream.push(false);
      expect(await system.isPolled(channel)).toBe(dueOf(model, channel).length > 0);
    },
  );
