import { describe, expect, it } from '@postrider/testing';
import type { MailAccount } from '../../src/email/accounts.ts';
import { smtpProvider } from '../../src/email/providers/smtp/index.ts';
import { orderAccounts } from '../../src/email/sender.ts';

const account = (name: string, weight: number): MailAccount => ({
  ...{ name, weight, provider: smtpProvider },
  ...{ settings: {}, fromDomains: null, path: '' },
});
const namesFor = (accounts: readonly MailAccount[], runId: string) =>
  orderAccounts(accounts, runId).map(({ name }) => name);
const RUNS = Array.from({ length: 4_000 }, (_, index) => `run_${index}`);

describe('the order of accounts', () => {
  it('is the same on every attempt of a run, however they are listed', () => {
    const accounts = [account('a', 1), account('b', 2), account('c', 3)];
    for (const run of RUNS.slice(0, 50)) {
      expect(namesFor([...accounts].reverse(), run)).toEqual(namesFor(accounts, run));
    }
  });

  it('gives each the first place by its weight', () => {
    const accounts = [account('a', 1), account('b', 3)];
    const first = RUNS.filter((run) => namesFor(accounts, run)[0] === 'b').length;
    // Three quarters of 4,000 runs, give or take four standard deviations.
    expect(Math.abs(first - 3_000)).toBeLessThan(110);
  });

  it('moves only the runs of a removed account', () => {
    const [a, b, c] = [account('a', 1), account('b', 1), account('c', 1)];
    for (const run of RUNS.slice(0, 200)) {
      const [first] = namesFor([a, b, c], run);
      if (first !== 'c') expect(namesFor([a, b], run)[0]).toBe(first);
    }
  });

  it('has those without weight last, as they are listed', () => {
    const accounts = [account('x', 0), account('a', 1), account('y', 0)];
    for (const run of RUNS.slice(0, 20)) expect(namesFor(accounts, run)).toEqual(['a', 'x', 'y']);
  });
});
