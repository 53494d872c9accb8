import { describe, expect, it } from '@postrider/testing';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import {
  attemptsExhausted,
  CHANNEL_SETTINGS_SCHEMAS,
  DEFAULT_RETRY_POLICY,
  type RetryPolicy,
  retryDelayMs,
  retryPolicyIssues,
} from '../src/index.ts';

const exponential: RetryPolicy = { max_attempts: 10, base_seconds: 2, factor: 3, max_seconds: 60 };
const middle = () => 0.5;

describe('the delay after a failed attempt', () => {
  it.each([
    [1, 5_000],
    [2, 30_000],
    [3, 120_000],
    [4, 600_000],
    [5, 3_600_000],
    [6, 14_400_000],
    [7, 43_200_000],
  ])('is by default, after attempt %i, %i ms before jitter', (attempt, expected) => {
    expect(retryDelayMs({ policy: DEFAULT_RETRY_POLICY, attempt, jitter: middle })).toBe(expected);
  });

  it.each([
    [1, 2_000],
    [2, 6_000],
    [3, 18_000],
    [4, 54_000],
    [5, 60_000],
    [9, 60_000],
  ])('grows by the factor up to max_seconds: after attempt %i, %i ms', (attempt, expected) => {
    expect(retryDelayMs({ policy: exponential, attempt, jitter: middle })).toBe(expected);
  });

  it('repeats the last one of a list that is too short', () => {
    const policy = { max_attempts: 5, delays_seconds: [1, 2] };
    expect(retryDelayMs({ policy, attempt: 4, jitter: middle })).toBe(2_000);
  });

  it('is the default if the list is empty and the run was created with more attempts', () => {
    const policy = { max_attempts: 8, delays_seconds: [] };
    expect(retryDelayMs({ policy, attempt: 2, jitter: middle })).toBe(30_000);
    expect(retryDelayMs({ policy, attempt: 1, jitter: middle, retryAfterMs: 90_000 })).toBe(90_000);
  });

  it('stays within 20 % and is a whole number', () => {
    const jitters = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), jitters, (attempt, jitter) => {
        const plain = retryDelayMs({ policy: DEFAULT_RETRY_POLICY, attempt, jitter: middle });
        const delay = retryDelayMs({ policy: DEFAULT_RETRY_POLICY, attempt, jitter: () => jitter });
        expect(Number.isInteger(delay)).toBe(true);
        expect(delay).toBeGreaterThanOrEqual(plain * 0.8);
        expect(delay).toBeLessThanOrEqual(Math.ceil(plain * 1.2));
      }),
    );
  });

  it.each([
    ['longer than its own delay', 20_000, 20_000],
    ['shorter than its own delay', 2_000, 5_000],
    ['longer than the longest of the policy', 10 ** 12, 43_200_000],
    ['of no time', 0, 5_000],
    ['that is absent', null, 5_000],
  ])('honours a Retry-After %s', (_, retryAfterMs, expected) => {
    expect(retryDelayMs({ policy: DEFAULT_RETRY_POLICY, attempt: 1, jitter: middle, retryAfterMs })).toBe(
      expected,
    );
  });

  it('honours a Retry-After up to max_seconds', () => {
    expect(retryDelayMs({ policy: exponential, attempt: 1, jitter: middle, retryAfterMs: 90_000 })).toBe(
      60_000,
    );
  });
});

describe('the attempts', () => {
  it('are exhausted after the last one', () => {
    expect(attemptsExhausted(DEFAULT_RETRY_POLICY, 7)).toBe(false);
    expect(attemptsExhausted(DEFAULT_RETRY_POLICY, 8)).toBe(true);
    expect(attemptsExhausted(DEFAULT_RETRY_POLICY, 9)).toBe(true);
  });
});

describe('validating a retry policy', () => {
  const fulfilsSchema = new Ajv({ strict: false }).compile(CHANNEL_SETTINGS_SCHEMAS.retry);

  it.each<[string, RetryPolicy]>([
    ['the default', DEFAULT_RETRY_POLICY],
    ['an exponential one', exponential],
    ['one attempt', { max_attempts: 1, delays_seconds: [0] }],
    ['one attempt without a delay', { max_attempts: 1, delays_seconds: [] }],
    ['the bounds', { max_attempts: 20, delays_seconds: [604_800] }],
    ['fractions', { max_attempts: 3, base_seconds: 0.5, factor: 1.5, max_seconds: 0.5 }],
  ])('finds no issue in %s', (_, policy) => {
    expect(fulfilsSchema(policy)).toBe(true);
    expect(retryPolicyIssues(policy)).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a list', []],
    ['an empty object', {}],
    ['no attempt', { max_attempts: 0, delays_seconds: [1] }],
    ['too many attempts', { max_attempts: 21, delays_seconds: [1] }],
    ['half an attempt', { max_attempts: 1.5, delays_seconds: [1] }],
    ['attempts as text', { max_attempts: '3', delays_seconds: [1] }],
    ['a delay alone', { max_attempts: 3, delays_seconds: 5 }],
    ['21 delays', { max_attempts: 3, delays_seconds: Array(21).fill(1) }],
    ['a negative delay', { max_attempts: 3, delays_seconds: [-1] }],
    ['a delay of more than a week', { max_attempts: 3, delays_seconds: [604_801] }],
    ['a base of more than a week', { ...exponential, base_seconds: 604_801, max_seconds: 604_801 }],
    ['a factor below 1', { ...exponential, factor: 0.5 }],
    ['an unknown field', { ...DEFAULT_RETRY_POLICY, 'a/b~c': 1 }],
  ])('refuses %s by the schema', (_, policy) => {
    expect(fulfilsSchema(policy)).toBe(false);
  });

  it.each<[string, object, string[]]>([
    ['no delays', { max_attempts: 3 }, ['']],
    ['both forms', { ...exponential, delays_seconds: [1] }, ['']],
    ['an empty list', { max_attempts: 3, delays_seconds: [] }, ['/delays_seconds']],
    ['an empty list for two attempts', { max_attempts: 2, delays_seconds: [] }, ['/delays_seconds']],
    ['half of the exponential form', { max_attempts: 3, base_seconds: 1 }, ['/factor', '/max_seconds']],
    ['a longest delay below the base', { ...exponential, max_seconds: 1 }, ['/max_seconds']],
  ])('reports every issue of %s', (_, policy, paths) => {
    const issues = retryPolicyIssues(policy as RetryPolicy);
    expect(fulfilsSchema(policy)).toBe(true);
    expect(issues.map((issue) => issue.path)).toEqual(paths);
    expect(issues.every((issue) => issue.message !== '')).toBe(true);
  });
});
