import type { ClientAnswer } from '../ledgers.ts';
import type { Context, Figures, Scenario } from './scenario.ts';

const REQUESTS = 1_000;
/** The number of rounds. The figures are those of the last one. */
const ROUNDS = { short: 1, long: 5 };
/** How soon the key is made to expire, so that requests race on both sides of that moment. */
const EDGE = '3 seconds';

type Answers = readonly ClientAnswer[];

const idsOf = (answers: Answers) =>
  new Set(answers.flatMap((answer) => (answer.status === 201 && answer.messageId) || []));
const count = (answers: Answers, status: number) =>
  answers.filter((answer) => answer.status === status).length;

/** Requests at once, half of them with another body: one is accepted, the others get its answer or a conflict. */
async function race({ driver, random, expect }: Context, key: string): Promise<Figures> {
  const reference = `event-${random.uuid()}`;
  const answers = await Promise.all(
    Array.from({ length: REQUESTS }, (_, index) =>
      driver.deliver({ reference, key, variant: index % 2 === 0 ? 'a' : 'b' }),
    ),
  );
  expect(idsOf(answers).size === 1, `one acceptance; there were ${idsOf(answers).size}`);
  expect(count(answers, 201) === REQUESTS / 2, `half are 201; ${count(answers, 201)} were`);
  expect(count(answers, 409) === REQUESTS / 2, `half are 409; ${count(answers, 409)} were`);
  return { created: count(answers, 201), conflicts: count(answers, 409) };
}

/** Sends another event with the same key while the key expires: conflicts before, one acceptance after. */
async function raceAtTheEdge({ stack, driver, random, expect }: Context, key: string): Promise<Figures> {
  const reference = `event-${random.uuid()}`;
  driver.keyExpired(key);
  await stack.db.$executeRaw`
    UPDATE idempotency_records SET expires_at = now() + ${EDGE}::interval WHERE key = ${key}::uuid`;
  const answers: ClientAnswer[] = [];
  while (idsOf(answers).size === 0) {
    const wave = Array.from({ length: REQUESTS / 10 }, () => driver.deliver({ reference, key }));
    answers.push(...(await Promise.all(wave)));
  }
  const odd = answers.length - count(answers, 201) - count(answers, 409);
  expect(idsOf(answers).size === 1, `one acceptance at the edge; there were ${idsOf(answers).size}`);
  expect(count(answers, 409) > 0, 'requests raced before the edge, too');
  expect(odd === 0, `201 or 409 at the edge; ${odd} answers were others`);
  return { edge_created: count(answers, 201), edge_conflicts: count(answers, 409) };
}

/**
 * Any number of simultaneous requests with one key result in one acceptance, with the same or different bodies, before
 * and after the end of its 24 hours.
 */
export const oneKey: Scenario = {
  number: 10,
  name: 'one-key',
  fault: '1,000 requests at once with one key, also with another body, also at the edge of 24 h',
  mayRefuse: true,
  stack: { workers: 1 },
  rounds: 'rounds',
  measured: ['created', 'conflicts', 'edge_created', 'edge_conflicts'],
  async run(context) {
    const { driver, expect } = context;
    const rounds = context.amount(ROUNDS.short, ROUNDS.long);
    let figures: Figures = {};
    for (let round = 0; round < rounds; round += 1) {
      const key = context.random.uuid();
      figures = { ...(await race(context, key)), ...(await raceAtTheEdge(context, key)) };
    }
    const broken = driver.ledger.exchanges.filter(({ status }) => status === null || status >= 500).length;
    expect(broken === 0, `every request is answered, and none with 5xx; ${broken} were not so`);
    return { rounds, ...figures };
  },
};
