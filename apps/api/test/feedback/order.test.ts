import { beforeAll, describe, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import { anEvent } from '../support/api.ts';
import { useApi } from '../support/database.ts';
import { eventOf, KINDS, post, type Reporting, reporting } from './support.ts';

const world = useApi({ kinds: KINDS });
let made: Reporting;
beforeAll(async () => {
  made = await reporting(world);
});

/** From the least to the most that a report says; the last one is not shown at all. */
const TYPES = [
  ['deferred', false],
  ['delivered', false],
  ['bounced', false],
  ['bounced', true],
  ['complained', false],
  ['unsubscribed', false],
] as const;
const NOT_SHOWN = TYPES.length - 1;

const reports = fc.uniqueArray(
  fc.record({
    rank: fc.nat({ max: NOT_SHOWN }),
    at: fc.integer({ min: 0, max: 3 }).map((hours) => new Date(Date.UTC(2026, 0, 1, hours)).toISOString()),
    reason: fc.constantFrom(null, 'one', 'another'),
  }),
  { minLength: 1, maxLength: 6, selector: (one) => JSON.stringify(one) },
);
const cases = reports.chain((events) =>
  fc.record({
    events: fc.constant(events.map((event, index) => ({ ...event, id: `${index}` }))),
    order: fc.shuffledSubarray([...events.keys()], { minLength: events.length }),
    cut: fc.nat({ max: events.length }),
  }),
);

async function newMessage() {
  const { body } = await world.api().postEvent(made.token, anEvent()).expect(201);
  return { messageId: body.message_id as string, runId: body.delivery_runs[0].id as string };
}

async function shownBy({ messageId }: { readonly messageId: string }) {
  const { body } = await world.api().get(`/api/v1/messages/${messageId}`, made.token).expect(200);
  return body.delivery_runs[0].feedback;
}

describe('the feedback that a run shows', () => {
  it('does not depend on the order of the reports, nor on how they are put together or repeated', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ events, order, cut }) => {
        const [one, other] = [await newMessage(), await newMessage()];
        const send = async ({ runId }: { readonly runId: string }, indexes: readonly number[]) => {
          const body = indexes.flatMap((index) => {
            const { rank, ...event } = events[index] ?? { rank: 0 };
            const [type, permanent] = TYPES[rank] ?? TYPES[0];
            return eventOf(runId, { ...event, type, permanent });
          });
          await post(world.api(), { token: made.feedbackToken, body }).expect(200);
        };
        await send(one, [...events.keys()]);
        for (const part of [order.slice(0, cut), order.slice(cut), order.slice(0, cut)])
          await send(other, part);

        const shown = await shownBy(one);
        expect(await shownBy(other)).toEqual(shown);
        const [type, permanent] = TYPES[Math.max(...events.map(({ rank }) => rank % NOT_SHOWN))] ?? [];
        const isShown = events.some(({ rank }) => rank < NOT_SHOWN);
        expect(shown && [shown.type, shown.permanent]).toEqual(isShown ? [type, permanent] : null);
      }),
      { numRuns: 40 },
    );
  });
});
