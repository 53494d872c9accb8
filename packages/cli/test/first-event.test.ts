import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTestDatabase, type TestDatabase } from '@postrider/db/testing';
import { startTestService, type TestService } from '@postrider/local-stack/testing';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { type Receiver, startReceiver } from './support/receiver.ts';

const run = promisify(execFile);
const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const EXAMPLES = fileURLToPath(new URL('../examples/', import.meta.url));

let database: TestDatabase;
let service: TestService;
let receiver: Receiver;
let directory: string;
let env: Record<string, string | undefined>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'postrider-first-event-'));
  const command = `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`;
  await writeFile(join(directory, 'postrider'), command, { mode: 0o755 });
  const { NODE_COMPILE_CACHE } = process.env;
  const shared = { PATH: `${directory}:${process.env.PATH}`, NODE_COMPILE_CACHE };

  database = await createTestDatabase({ empty: true });
  await run('postrider', ['migrate'], { env: { ...shared, DATABASE_URL: database.url } });
  service = await startTestService({ databaseUrl: database.url, worker: true });
  receiver = await startReceiver();
  env = {
    ...shared,
    POSTRIDER_URL: service.url,
    ADMIN_TOKEN: service.adminToken,
    WEBHOOK_URL: receiver.url,
  };
}, 180_000);
afterAll(async () => {
  await receiver.close();
  await service.stop();
  await database.drop();
  await rm(directory, { recursive: true });
});

describe('from an empty database to the first delivered event', () => {
  it('takes only the command line', async () => {
    const { stdout } = await run(`${EXAMPLES}first-event.sh`, { env });

    expect(stdout).toMatch(/^msg_\w+ {2}order\.shipped {2}delivered$/m);
    expect(stdout).toMatch(/✓ attempt 1 succeeded/);
  }, 180_000);

  it('takes only curl', async () => {
    const { stdout } = await run(`${EXAMPLES}first-event-curl.sh`, { env });

    expect(stdout).toMatch(/"attempts":\[\{"id":"att_\w+".*"status":"succeeded"/);
  }, 180_000);
});
