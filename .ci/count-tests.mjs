/**
 * Prints "N passed, N failed" from jest's JSON results. A suite that could not run counts as one failure, and
 * so does each failed check other than the tests. Arguments: the results file, the names of the failed
 * checks.
 */
import { readFileSync } from 'node:fs';

const [resultsFile, ...failedChecks] = process.argv.slice(2);

function readResults() {
  const text = readFileSync(resultsFile, 'utf8');
  return text === '' ? null : JSON.parse(text);
}

const results = readResults();
const otherChecks = failedChecks.filter((name) => name !== 'tests').length;
const failedTests = results ? results.numFailedTests + results.numRuntimeErrorTestSuites : 0;
const testsFailedOtherwise = failedTests === 0 && failedChecks.includes('tests') ? 1 : 0;
const failed = failedTests + testsFailedOtherwise + otherChecks;
process.stdout.write(`${results?.numPassedTests ?? 0} passed, ${failed} failed\n`);
process.exitCode = failed > 0 || !results?.numPassedTests ? 1 : 0;
