import { describe, expect, filesThatRun, it } from '@postrider/testing';
import { useApi } from './support/database.ts';

const world = useApi();

/** From the socket to the response after the commit. Printed by `npm run complexity`. */
const MOST_FILES = 25;

describe('POST /api/v1/events', () => {
  it(`runs code of at most ${MOST_FILES} files from the socket to the commit`, async () => {
    const { token } = await world.environment();
    const send = async () => expect((await world.api().postEvent(token)).status).toBe(201);
    for (let times = 0; times < 3; times += 1) await send();
    const files = await filesThatRun(async () => undefined, send);
    expect(files).toContain('packages/db/src/statements/accept.ts');
    expect(files.slice(MOST_FILES)).toEqual([]);
  });
});
