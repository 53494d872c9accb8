/**
 * Prints "N passed, N failed" from Jest's JSON results, the reports of the fault scenarios (each counts as one test)
 * and the fuzzing (one test); ", 1 skipped" follows if that could not run. A suite that could not run and every other
 * failed check count as one failure each. So does a skipped test, unless POSTRIDER_MAY_SKIP, a list of texts with
 * commas between them, has a part of its file's path: then it is among the skipped.
 * Arguments: the results file, the reports file, the fuzzing's file, the names of the failed checks.
 */
import { readFileSync } from 'node:fs';

const [resultsFile, reportsFile, fuzzingFile, ...failedChecks] = process.argv.slice(2);

function readJson(file) {
  const text = readFileSync(file, 'utf8');
  return text === '' ? null : JSON.parse(text);
}

/** Counts what a check reports. If it failed without reporting a failure, that is one failure. */
function count(check, { passed, failed }) {
  return { passed, failed: failed === 0 && failedChecks.includes(check) ? 1 : failed };
}

const results = readJson(resultsFile);
const tests = count('tests', {
  passed: results?.numPassedTests ?? 0,
  failed: results ? results.numFailedTests + results.numRuntimeErrorTestSuites : 0,
});

const maySkip = (process.env.POSTRIDER_MAY_SKIP ?? '').split(',').filter(Boolean);
const skippedTests = (results?.testResults ?? []).flatMap(({ name, assertionResults }) =>
  assertionResults
    .filter(({ status }) => status === 'pending' || status === 'todo')
    .map(({ fullName }) => ({
      line: `${name}: ${fullName}`,
      allowed: maySkip.some((part) => name.includes(part)),
    })),
);
for (const { line, allowed } of skippedTests)
  process.stdout.write(`${allowed ? 'skipped' : 'FAILED, because it was skipped'}: ${line}\n`);
const allowedSkips = skippedTests.filter(({ allowed }) => allowed).length;

const reports = readJson(reportsFile) ?? [];
const passed = reports.filter(({ held }) => held).length;
const scenarios = count('fault scenarios', { passed, failed: reports.length - passed });

const others = failedChecks.filter((name) => name !== 'tests' && name !== 'fault scenarios').length;
const failed = tests.failed + scenarios.failed + others + skippedTests.length - allowedSkips;
const fuzzing = readJson(fuzzingFile)?.outcome;
const allPassed = tests.passed + scenarios.passed + (fuzzing === 'passed' ? 1 : 0);
const skips = allowedSkips + (fuzzing === 'skipped' ? 1 : 0);
const skipped = skips > 0 ? `, ${skips} skipped` : '';
process.stdout.write(`${allPassed} passed, ${failed} failed${skipped}\n`);
process.exitCode = failed > 0 || tests.passed === 0 || scenarios.passed === 0 ? 1 : 0;
