import { describe, expect, it } from '@postrider/testing';
import { smtpProvider } from '../../src/email/providers/smtp/index.ts';
import { orderSenders } from '../../src/email/sender.ts';
import type { ConfiguredSender } from '../../src/email/senders.ts';

const sender = (name: string, weight: number): ConfiguredSender => ({
  ...{ name, weight, provider: smtpProvider },
  ...{ settings: {}, fromDomains: null, path: '' },
});
const namesFor = (senders: readonly ConfiguredSender[], runId: string) =>
  orderSenders(senders, runId).map(({ name }) => name);
const RUNS = Array.from({ length: 4_000 }, (_, index) => `run_${index}`);

describe('the order of senders', () => {
  it('is the same on every attempt of a run, however they are listed', () => {
    const senders = [sender('a', 1), sender('b', 2), sender('c', 3)];
    for (const run of RUNS.slice(0, 50)) {
      expect(namesFor([...senders].reverse(), run)).toEqual(namesFor(senders, run));
    }
  });

  it('gives each the first place by its weight', () => {
    const senders = [sender('a', 1), sender('b', 3)];
    const first = RUNS.filter((run) => namesFor(senders, run)[0] === 'b').length;
    // Of 4,000 runs three quarters, give or take four standard deviations.
    expect(Math.abs(first - 3_000)).toBeLessThan(110);
  });

  it('moves only the runs of a removed sender', () => {
    const [a, b, c] = [sender('a', 1), sender('b', 1), sender('c', 1)];
    for (const run of RUNS.slice(0, 200)) {
      const [first] = namesFor([a, b, c], run);
      if (first !== 'c') expect(namesFor([a, b], run)[0]).toBe(first);
    }
  });

  it('has those without weight last, as they are listed', () => {
    const senders = [sender('x', 0), sender('a', 1), sender('y', 0)];
    for (const run of RUNS.slice(0, 20)) expect(namesFor(senders, run)).toEqual(['a', 'x', 'y']);
  });
});
