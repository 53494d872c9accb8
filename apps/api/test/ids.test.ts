import { randomInt } from 'node:crypto';
import { Agent } from 'node:http';
import { ID_PREFIXES } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import { OPERATIONS } from '../src/resources.ts';
import { issuesOf } from './hostile/check-answer.ts';
import { type IdPlace, idPlacesOf, requestWith } from './hostile/id-places.ts';
import { send } from './hostile/send.ts';
import { malformedId, wellFormedId } from './hostile/values.ts';
import { useApi } from './support/database.ts';
import { type Populated, populate, replayMatching } from './support/populated.ts';

/**
 * The long form sets POSTRIDER_HOSTILE_IDS=10000 and draws its ids at random; the short form sends the same ids each time.
 * POSTRIDER_HOSTILE_SEED repeats a run.
 */
const USUAL_IDS = 600;
const IDS = Number(process.env.POSTRIDER_HOSTILE_IDS ?? USUAL_IDS);
const SEED = Number(
  process.env.POSTRIDER_HOSTILE_SEED ?? (IDS > USUAL_IDS ? randomInt(2 ** 31) : 20_261_122),
);
const MS_PER_REQUEST = 100;
/** 200 in a filter that takes any text, 400 for text that no JSON may hold, 405 where the path becomes another. */
const ANSWERS_TO_MALFORMED = [200, 400, 404, 405, 422];

const PLACES = OPERATIONS.flatMap(idPlacesOf);

const { api, db } = useApi();
const agent = new Agent({ keepAlive: true });
const statuses = new Map<string, number>();
let world: Populated;

beforeAll(async () => {
  const populated = await populate(api(), db());
  const replayId = await replayMatching(api(), populated.parameters.environmentId ?? '');
  world = { ...populated, parameters: { ...populated.parameters, replayId } };
});
afterAll(() => {
  agent.destroy();
  if (IDS > USUAL_IDS) process.stdout.write(`${JSON.stringify(Object.fromEntries([...statuses].sort()))}\n`);
});

async function answerTo(place: IdPlace, id: string) {
  const request = requestWith(world, place, id);
  const answer = await send(agent, api().url, request);
  const key = `${place.in} ${answer.status}`;
  statuses.set(key, (statuses.get(key) ?? 0) + 1);
  const shown = `${request.method} ${request.path} ${request.body} ${answer.status} ${answer.text.slice(0, 500)}`;
  return { status: answer.status, shown, issues: issuesOf(request.method, request.path, answer) };
}

describe(`ids that nobody has (seed ${SEED})`, () => {
  it('are sent to every operation with an id', () => {
    const inPath = OPERATIONS.filter(({ path }) => /\{\w+Id\}/.test(path));
    const covered = new Set(PLACES.map(({ doc }) => doc.operationId));

    expect(inPath.filter(({ operationId }) => !covered.has(operationId))).toEqual([]);
    expect(new Set(PLACES.map((place) => place.in))).toEqual(new Set(['path', 'query', 'body']));
    const prefixes: readonly string[] = ID_PREFIXES;
    expect(PLACES.filter(({ prefix }) => !prefixes.includes(prefix))).toEqual([]);
  });

  it(
    `are answered as the document says, and never with an issue of the service: ${IDS} of the form and ${IDS} of none`,
    async () => {
      const place = fc.constantFrom(...PLACES);
      const cases = place.chain((chosen) =>
        fc.tuple(fc.constant(chosen), wellFormedId(chosen.prefix), malformedId(chosen.prefix)),
      );
      await fc.assert(
        fc.asyncProperty(cases, async ([chosen, wellFormed, malformed]) => {
          const known = await answerTo(chosen, wellFormed);
          expect({ shown: known.shown, issues: known.issues }).toEqual({ shown: known.shown, issues: [] });
          if (chosen.in === 'path') expect(known).toMatchObject({ shown: known.shown, status: 404 });
          const other = await answerTo(chosen, malformed);
          expect({ shown: other.shown, issues: other.issues }).toEqual({ shown: other.shown, issues: [] });
          expect(ANSWERS_TO_MALFORMED).toContain(other.status);
        }),
        { seed: SEED, numRuns: IDS },
      );

      expect(api().log.filter(({ message, failed = message }) => failed === 'request failed')).toEqual([]);
    },
    60_000 + IDS * 2 * MS_PER_REQUEST,
  );
});
