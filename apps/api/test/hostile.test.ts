import { randomBytes, randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { createTestDatabase, type TestDatabase, testRedisUrl } from '@postrider/db/testing';
import { TOKEN_SCOPES } from '@postrider/domain';
import { createLogger } from '@postrider/telemetry';
import { afterAll, beforeAll, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import { type Composed, compose } from '../src/compose.ts';
import { OPERATIONS } from '../src/resources.ts';
import { issuesOf } from './hostile/check-answer.ts';
import { createKnown, type Known } from './hostile/references.ts';
import { type HostileRequest, requestFor } from './hostile/requests.ts';
import { send } from './hostile/send.ts';
import { ADMIN_TOKEN, startApi, type TestApi } from './support/api.ts';
import { populate, replayMatching } from './support/populated.ts';

/** A file for the counts of answers by operation and status. */
const REPORT = process.env.POSTRIDER_HOSTILE_REPORT;
/** Requests in one environment, so that what one of them makes or spoils is there for the next. */
const PER_RUN = 20;
/** From this many on, chance leaves no operation out and none without a success. */
const ENOUGH_FOR_ALL = 5_000;
/**
 * The long form sets POSTRIDER_HOSTILE_REQUESTS=10000 and looks for what nobody has seen yet; the short form makes the same
 * requests each time. POSTRIDER_HOSTILE_SEED repeats a run.
 */
const REQUESTS = Number(process.env.POSTRIDER_HOSTILE_REQUESTS ?? 400);
const USUAL_SEED = 20_261_121;
const SEED = Number(
  process.env.POSTRIDER_HOSTILE_SEED ?? (REQUESTS < ENOUGH_FOR_ALL ? USUAL_SEED : randomInt(2 ** 31)),
);
/** Including its share of the environment, in which each scope has a token. */
const MS_PER_REQUEST = 400;

const counts = new Map<string, number>();
const agent = new Agent({ keepAlive: true });
let database: TestDatabase;
let composed: Composed;
let api: TestApi;

beforeAll(async () => {
  database = await createTestDatabase();
  const databaseUrl = database.urlFor('postrider_api');
  const settings = { databaseUrl, redisUrl: testRedisUrl(), corsAllowedOrigins: '*' as const };
  const logger = createLogger({ service: 'api', level: 'error', write: () => undefined });
  composed = compose(
    { ...settings, adminToken: ADMIN_TOKEN, encryptionKeys: [{ id: 'test', key: randomBytes(32) }] },
    logger,
  );
  const { db, takeBucketTokens, snapshots, recordUse } = composed.deps;
  api = await startApi(db, { takeBucketTokens, snapshots, recordUse });
});
afterAll(async () => {
  if (REPORT !== undefined)
    writeFileSync(REPORT, JSON.stringify(Object.fromEntries([...counts].sort()), null, 1));
  agent.destroy();
  await api.stop();
  await composed.close();
  await database.drop();
});

/** A token for each scope, which may do nothing else in the environment. */
async function tokensOfOneScope(environmentId: string): Promise<string[]> {
  return Promise.all(
    Object.keys(TOKEN_SCOPES).map(async (scope) => {
      const body = { name: scope, scopes: [scope] };
      const path = `/admin/v1/environments/${environmentId}/tokens`;
      return (await api.admin('post', path, body).expect(201)).body.token;
    }),
  );
}

/** An environment to attack and another tenant's to reach for. */
async function begin(): Promise<Known> {
  const known = createKnown();
  const plan = { requestsPerSecond: 200, burst: 400, eventsPerMonth: 1_000 };
  for (const whose of ['', 'other.'] as const) {
    const { token, parameters } = await populate(api, database.db, { plan });
    known.add(`${whose}environment`, token);
    const { environmentId = '', code = '', eventKey: _, ...ids } = parameters;
    const replay = await replayMatching(api, environmentId);
    known.add(`${whose}plan`, code);
    for (const id of [environmentId, replay, ...Object.values(ids)])
      known.add(`${whose}${id.slice(0, 3)}`, id);
    if (whose === '') for (const each of await tokensOfOneScope(environmentId)) known.add('token', each);
  }
  known.add('admin', ADMIN_TOKEN);
  return known;
}

function resolved(known: Known, { method, path, headers, body }: HostileRequest) {
  const texts = Object.entries(headers).map(([name, value]) => [name, known.resolve(String(value))]);
  return {
    method,
    path: known.resolve(path),
    headers: Object.fromEntries(texts) as Record<string, string>,
    body: typeof body === 'string' ? known.resolve(body) : body,
  };
}

async function attack(known: Known, hostile: HostileRequest): Promise<void> {
  const request = resolved(known, hostile);
  const answer = await send(agent, api.url, request);
  known.learn(answer.text);
  const key = `${hostile.operationId} ${answer.status}`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
  const issues = issuesOf(request.method, request.path, answer);
  if (issues.length === 0) return;
  const body = request.body === null ? null : Buffer.from(request.body).toString('utf8').slice(0, 2_000);
  const shown = JSON.stringify({
    ...request,
    body,
    status: answer.status,
    answer: answer.text.slice(0, 2_000),
  });
  throw new Error(`${issues.join('; ')}\n${shown}`);
}

it(
  `answers ${REQUESTS} hostile requests as the document says, none of them with an issue of its own (seed ${SEED})`,
  async () => {
    const requests = fc.array(fc.oneof(...OPERATIONS.map(requestFor)), {
      minLength: PER_RUN,
      maxLength: PER_RUN,
    });
    await fc.assert(
      fc.asyncProperty(requests, async (sequence) => {
        const known = await begin();
        for (const request of sequence) await attack(known, request);
      }),
      // No shrinking: each try adds to the same installation, whose limits then hide the first failure.
      { seed: SEED, numRuns: Math.ceil(REQUESTS / PER_RUN), endOnFailure: true },
    );

    const failures = api.log.filter(({ message, failed = message }) => failed === 'request failed');
    expect(failures).toEqual([]);
    if (REQUESTS < ENOUGH_FOR_ALL) return;
    const succeeded = OPERATIONS.filter(({ operationId, success, alternative }) =>
      [success, alternative].some((answer) => answer && counts.has(`${operationId} ${answer.status}`)),
    );
    expect(succeeded.map(({ operationId }) => operationId)).toEqual(
      OPERATIONS.map(({ operationId }) => operationId),
    );
  },
  60_000 + REQUESTS * MS_PER_REQUEST,
);
