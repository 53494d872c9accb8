import { startPostgres, startRedis } from '@postrider/local-stack';

/** A process for the test to kill: starts both servers, says what it started in one line of JSON, and stays. */
const [postgres, redis] = await Promise.all([startPostgres({ durable: false }), startRedis()]);
const started = { pids: [postgres.pid, redis.pid], directories: [postgres.directory] };
process.stdout.write(`${JSON.stringify(started)}\n`);
setInterval(() => undefined, 60_000);
