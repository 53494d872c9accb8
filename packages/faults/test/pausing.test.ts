import { startPostgres } from '@postrider/local-stack';
import { waitFor } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import pg from 'pg';
import { pausing, processesOf } from '../src/stack/pausing.ts';

const ROUNDS = 20;

describe('a paused server', () => {
  it('continues with all of its processes, also when one of them had ended when it was paused', async () => {
    const server = await startPostgres({ durable: false });
    const other = new pg.Client(server.url);
    await other.connect();
    const { pause, resume } = pausing(() => server.pid);
    for (let round = 0; round < ROUNDS; round += 1) {
      const leaving = new pg.Client(server.url);
      await leaving.connect();
      const { rows } = await leaving.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const pid = Number(rows[0]?.pid);
      // A stopped server does not take note of the end of its children.
      process.kill(server.pid, 'SIGSTOP');
      await leaving.end();
      await pause();
      expect(await processesOf(server.pid)).toContain(pid);
      resume();
      await waitFor(
        'the ended process to be gone',
        async () => !(await processesOf(server.pid)).includes(pid),
      );
      expect((await other.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    }
    await other.end();
    await server.stop();
  });
});
