import { describe, expect, it } from '@postrider/testing';
import { problemsOf, type RunLedger } from '../src/measures/run-ledger.ts';

const CLEAN: RunLedger = {
  sent: 100,
  answers: { '201': 100 },
  unanswered: 0,
  stored: 100,
  waiting: 0,
  mayWait: false,
  failed: 0,
  unknownAttempts: 0,
  delivered: 100,
  duplicates: 0,
  foreign: 0,
};

const problemsWith = (changed: Partial<RunLedger>) => problemsOf({ ...CLEAN, ...changed });

describe('a run is valid', () => {
  it.each<[string, Partial<RunLedger>]>([
    ['when all that was sent is delivered', {}],
    ['when load was shed by 429 and 503', { sent: 110, answers: { '201': 100, '429': 4, '503': 6 } }],
    [
      'when an answer was lost and the event was stored',
      { sent: 101, unanswered: 1, stored: 101, delivered: 101 },
    ],
    ['when an answer was lost and the event was not stored', { sent: 101, unanswered: 1 }],
    ['when nobody is there to deliver', { delivered: 0, waiting: 100, mayWait: true }],
    ['when runs are known to have failed', { delivered: 98, failed: 2 }],
    ['when attempts of unknown outcome explain the duplicates', { duplicates: 2, unknownAttempts: 2 }],
  ])('%s', (_, changed) => {
    expect(problemsWith(changed)).toEqual([]);
  });
});

describe('a run is invalid', () => {
  it.each<[string, Partial<RunLedger>, RegExp]>([
    ['when a request has neither answer nor error', { sent: 101 }, /101 sent, but 100 answered/],
    ['when an answer is an error', { sent: 101, answers: { '201': 100, '500': 1 } }, /1 answers with 500/],
    ['when an accepted event is not stored', { stored: 99, delivered: 99 }, /100 accepted .* 99 stored/],
    ['when more is stored than was sent', { stored: 101, delivered: 101 }, /but 101 stored/],
    [
      'when runs are open although workers are there',
      { delivered: 99, waiting: 1 },
      /1 runs are not at their end/,
    ],
    ['when a run has succeeded and nothing arrived', { delivered: 99 }, /100 stored, but 99 delivered/],
    ['when duplicates are not explained', { duplicates: 2, unknownAttempts: 1 }, /2 duplicates, 1 explained/],
    ['when something arrived that nobody sent', { foreign: 1 }, /1 arrivals that belong to nothing/],
  ])('%s', (_, changed, problem) => {
    expect(problemsWith(changed)).toEqual([expect.stringMatching(problem)]);
  });
});
