import { describe, expect, it } from '@postrider/testing';
import { createProcesses } from '../src/processes.ts';
import type { ProcessOutcome, RenderProcess } from '../src/render-process.ts';

/** A process that ends on demand, as a real one ends some time after it was killed. */
function aProcess(pid: number) {
  let end: () => void = () => undefined;
  let answer: (outcome: ProcessOutcome<never>) => void = () => undefined;
  const state = { killed: false, works: false };
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const process: RenderProcess = {
    pid,
    ready: Promise.resolve(),
    ended,
    perform: () =>
      new Promise((resolve) => {
        state.works = true;
        answer = (outcome) => {
          state.works = false;
          resolve(outcome);
        };
      }),
    kill: () => {
      state.killed = true;
    },
  };
  return {
    process,
    state,
    answer: () => answer({ outcome: 'answered', answer: undefined as never }),
    end: () => {
      answer({ outcome: 'not_started', message: 'gone' });
      end();
    },
  };
}

const settle = () => new Promise(setImmediate);
const WORK = { kind: 'inspect', html: 'x' } as const;

describe('work that arrives while an idle process is being ended', () => {
  it('gets a new process, even while all others are busy', async () => {
    const started: ReturnType<typeof aProcess>[] = [];
    const processes = createProcesses({
      count: 2,
      restMs: 0,
      onError: (error) => {
        throw error;
      },
      startProcess() {
        const next = aProcess(started.length);
        started.push(next);
        return next.process;
      },
    });
    const long = processes.run(WORK, 1_000);
    const short = processes.run(WORK, 1_000);
    await settle();
    started[1]?.answer();
    await short;
    while (!started[1]?.state.killed) await new Promise((resolve) => setTimeout(resolve, 1));

    const next = processes.run(WORK, 1_000);
    await settle();
    started[1]?.end();
    await settle();
    expect(started.map(({ state }) => state.works)).toEqual([true, false, true]);
    started[2]?.answer();
    expect(await next).toMatchObject({ outcome: 'answered' });
    started[0]?.answer();
    expect(await long).toMatchObject({ outcome: 'answered' });
    for (const one of started) one.end();
    await processes.close();
  });
});
