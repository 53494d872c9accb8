import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { parseId } from '@postrider/domain';
import { describe, expect, filesThatRun, followData, importObserved, it } from '@postrider/testing';
import type * as Support from './support/database.ts';

const { useApi } = await importObserved<typeof Support>(new URL('./support/database.ts', import.meta.url));
const world = useApi();

/** From the socket to the response after the commit, on an open connection, as clients keep theirs. Printed by `npm run complexity`. */
const MOST_FILES = 20;
/** The most shapes that carry the event, and returns to a file, see `followData`. Also printed. */
const MOST_SHAPES = 10;
const MOST_RETURNS = 1;
/** It collects facts for the log line, and gets the ids only after the commit. */
const BESIDES = ['apps/api/src/http/request.ts'];

describe('POST /api/v1/events', () => {
  it(`runs code of at most ${MOST_FILES} files from the socket to the commit`, async () => {
    const { token } = await world.environment();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const send = async () => expect((await world.api().postEvent(token).agent(agent)).status).toBe(201);
    for (let times = 0; times < 3; times += 1) await send();
    const files = await filesThatRun(async () => undefined, send).finally(() => agent.destroy());
    expect(files).toContain('packages/db/src/statements/accept.ts');
    expect(files.slice(MOST_FILES)).toEqual([]);
  });

  it(`carries the event in at most ${MOST_SHAPES} shapes, and back to a file at most ${MOST_RETURNS} times`, async () => {
    const { token } = await world.environment();
    const event = {
      event_key: 'path.of_event',
      recipient: { email: 'path@example.com' },
      payload: { id: 'A-1001' },
    };
    const key = randomUUID();
    const { shapes, returns } = await followData(async () => {
      const { body } = await world.api().postEvent(token, event, key);
      const [run] = body.delivery_runs;
      const ids = [body.message_id, parseId('msg', body.message_id), run.id, parseId('run', run.id)];
      return [...ids, key, event.event_key, event.recipient.email, event.payload.id];
    }, BESIDES);
    expect(shapes.length > MOST_SHAPES ? shapes : []).toEqual([]);
    expect(returns.length > MOST_RETURNS ? returns : []).toEqual([]);
  });
});
