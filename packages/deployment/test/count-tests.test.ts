import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '@postrider/local-stack/testing';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { parse } from 'yaml';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'postrider-test-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const FILE = '/checkout/packages/channels/test/email/postfix.test.ts';
const REASON = 'mail to Postfix (cannot run: Postfix starts as root alone)';

/** What the last check of `.ci/run` prints for two tests with these statuses. */
function count(statuses: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const write = (name: string, value: object) => {
    writeFileSync(join(directory, name), JSON.stringify(value));
    return join(directory, name);
  };
  const assertionResults = statuses.map((status) => ({ status, fullName: REASON }));
  const results = write('results.json', {
    numPassedTests: statuses.filter((status) => status === 'passed').length,
    numFailedTests: statuses.filter((status) => status === 'failed').length,
    numRuntimeErrorTestSuites: 0,
    testResults: [{ name: FILE, assertionResults }],
  });
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      join(ROOT, '.ci', 'count-tests.mjs'),
      results,
      write('reports.json', [{ held: true }]),
      write('fuzzing.json', { outcome: 'passed' }),
    ],
    { encoding: 'utf8', env },
  );
  return { status, lines: stdout.trim().split('\n') };
}

describe('.ci/run', () => {
  it('passes if every test did', () => {
    expect(count(['passed', 'passed'])).toEqual({ status: 0, lines: ['4 passed, 0 failed'] });
  });

  it.each(['pending', 'todo'])('fails on a test that is %s, and says why it was skipped', (status) => {
    expect(count(['passed', status])).toEqual({
      status: 1,
      lines: [`FAILED, because it was skipped: ${FILE}: ${REASON}`, '3 passed, 1 failed'],
    });
  });

  it('lets only those be skipped that are named', () => {
    expect(count(['passed', 'pending'], { POSTRIDER_MAY_SKIP: 'test/queue,test/email/postfix' })).toEqual({
      status: 0,
      lines: [`skipped: ${FILE}: ${REASON}`, '3 passed, 0 failed, 1 skipped'],
    });
    expect(count(['passed', 'pending'], { POSTRIDER_MAY_SKIP: 'test/queue' })).toMatchObject({ status: 1 });
  });

  it('is allowed by the workflow to skip only what another job runs', () => {
    const { jobs } = parse(readFileSync(join(ROOT, '.github', 'workflows', 'ci.yml'), 'utf8'));
    const { checks, ...others } = jobs;
    const commands = JSON.stringify(others);
    for (const part of checks.env.POSTRIDER_MAY_SKIP.split(','))
      expect(commands).toContain(`npm test -- ${part}`);
  });
});
