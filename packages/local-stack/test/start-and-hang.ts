import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, startRedis } from '@postrider/local-stack';

/** A process for the test to kill: starts servers, describes them in one line of JSON, and keeps running. */
const given = await mkdtemp(join(tmpdir(), 'postrider-given-'));
const servers = await Promise.all([
  startPostgres({ durable: false }),
  startPostgres({ durable: false, directory: join(given, 'postgresql'), removeWhenOrphaned: [given] }),
  startRedis(),
]);
const directories = [servers[0].directory, servers[1].directory, given];
process.stdout.write(`${JSON.stringify({ pids: servers.map(({ pid }) => pid), directories })}\n`);
setInterval(() => undefined, 60_000);
