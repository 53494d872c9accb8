import { startPostgres, startRedis } from '@postrider/local-stack';

/** A process for the test to kill: starts both servers, describes them in one line of JSON, and keeps running. */
const [postgres, redis] = await Promise.all([startPostgres({ durable: false }), startRedis()]);
const started = { pids: [postgres.pid, redis.pid], directories: [postgres.directory] };
process.stdout.write(`${JSON.stringify(started)}\n`);
setInterval(() => undefined, 60_000);
