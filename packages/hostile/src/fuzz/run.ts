import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acrossEnvironments, migrate, openDatabase } from '@postrider/db';
import { createFixture } from '@postrider/db/testing';
import { type Cleanup, createCleanup, startPostgres } from '@postrider/local-stack';
import { startTestService } from '@postrider/local-stack/testing';
import { CannotRun, findSchemathesis } from './python.ts';

/**
 * Statuses of valid requests that schemathesis does not expect. 400: a text contains NUL, which PostgreSQL cannot store
 * and schemas do not exclude. 402: an earlier request has lowered the quota of the plan or changed the tenant's billing.
 * 413: an earlier request has lowered the plan's payload limit. 422: rules that a schema cannot express, such as that a
 * channel must exist in the environment.
 */
const VALID_AND_REFUSED = [400, 402, 413, 422];
/** 5xx has a separate check. */
const EXPECTED_OF_VALID = ['2xx', '3xx', 401, 403, 404, 409, 429, '5xx', ...VALID_AND_REFUSED];
/** The same stages refuse a request before its fields are read. */
const EXPECTED_OF_INVALID = [400, 401, 402, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429, '5xx'];

const list = (statuses: readonly (string | number)[]) =>
  `[${statuses.map((status) => `"${status}"`).join(', ')}]`;

/**
 * The configuration of schemathesis: the token of each security scheme, and the expected statuses. The file contains
 * secrets of an installation that only exists during the run.
 */
function configFor({ token, adminToken }: { token: string; adminToken: string }): string {
  return `
[auth.openapi.environmentToken]
bearer = "${token}"

[auth.openapi.adminToken]
bearer = "${adminToken}"

[checks.positive_data_acceptance]
expected-statuses = ${list(EXPECTED_OF_VALID)}

[checks.negative_data_rejection]
expected-statuses = ${list(EXPECTED_OF_INVALID)}
`;
}

const say = (text: string) => process.stdout.write(`${text}\n`);

/** The default seed, so that each run sends the same requests. */
const USUAL_SEED = 20_261_122;
/** The default time in seconds, chosen for .ci/run. */
const USUAL_SECONDS = 150;
const USUAL_EXAMPLES = 15;

/** Starts an API without a worker, so that nothing is sent to another machine. */
async function startApi(cleanup: Cleanup) {
  const postgres = await startPostgres({ durable: false });
  cleanup.add(postgres.stop);
  await migrate(postgres.url);
  const service = await startTestService({ databaseUrl: postgres.url });
  cleanup.add(service.stop);
  const db = acrossEnvironments(openDatabase(postgres.url, { poolSize: 1 }));
  cleanup.add(() => db.$disconnect());
  const fixture = await createFixture(db, {
    channels: [{ kind: 'webhook', name: 'hook', config: { url: 'https://example.com/hook' } }],
  });
  return { service, fixture };
}

async function fuzz(program: string, env: NodeJS.ProcessEnv, cleanup: Cleanup): Promise<number> {
  const { service, fixture } = await startApi(cleanup);
  const directory = await mkdtemp(join(tmpdir(), 'postrider-fuzz-'));
  cleanup.add(() => rm(directory, { recursive: true }));
  const config = join(directory, 'schemathesis.toml');
  await writeFile(config, configFor({ token: fixture.token, adminToken: service.adminToken }), {
    mode: 0o600,
  });
  const child = spawn(
    program,
    [
      ...['--config-file', config, 'run', `${service.url}/openapi.json`],
      ...['--url', service.url, '--checks', 'all', '--no-color', '--workers', '1'],
      ...['--seed', env.FUZZ_SEED || String(USUAL_SEED)],
      ...['--max-examples', env.FUZZ_EXAMPLES || String(USUAL_EXAMPLES)],
      ...['--max-time', env.FUZZ_SECONDS || String(USUAL_SECONDS)],
      ...['--generation-database', 'none', '--continue-on-failure'],
      // schemathesis compares the envelope of an event (id, event, data) with the schema of its data. Other tests check streams.
      ...['--exclude-path-regex', '/stream$'],
    ],
    { stdio: ['ignore', 'inherit', 'inherit'], cwd: directory },
  );
  const [code] = await once(child, 'exit');
  const hasEnded = service.api.ownExits() > 0;
  if (hasEnded) say('The API ended during the fuzzing.');
  return code === 0 && !hasEnded ? 0 : 1;
}

/**
 * `npm run fuzz`: runs all checks of schemathesis on every operation of the OpenAPI document. FUZZ_SEED, FUZZ_EXAMPLES
 * (per operation) and FUZZ_SECONDS change the run; FUZZ_REPORT names a file for the outcome. Resolves with 0 and a
 * message if Python or its packages are not available, and with 1 on any finding.
 */
export async function runFuzz(env: NodeJS.ProcessEnv): Promise<number> {
  const note = async (outcome: 'passed' | 'failed' | 'skipped') => {
    if (env.FUZZ_REPORT) await writeFile(env.FUZZ_REPORT, JSON.stringify({ outcome }));
  };
  const cleanup = createCleanup();
  try {
    const code = await fuzz(await findSchemathesis(), env, cleanup);
    await note(code === 0 ? 'passed' : 'failed');
    return code;
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error;
    say(`Fuzzing was not run: ${error.message}`);
    await note('skipped');
    return 0;
  } finally {
    await cleanup.run();
  }
}
