import { Agent } from 'node:http';
import { describe, expect, filesThatRun, it } from '@postrider/testing';
import { useApi } from './support/database.ts';

const world = useApi();

/** From the socket to the response after the commit, on an open connection, as clients keep theirs. Printed by `npm run complexity`. */
const MOST_FILES = 20;

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
});
