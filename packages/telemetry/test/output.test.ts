import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from '@postrider/testing';

const LOGGER = new URL('../src/logger.ts', import.meta.url).href;

const STEPS = 100;
const LINES_PER_STEP = 50;
const LINES = STEPS * LINES_PER_STEP;

/** Logs 10 MB in a hundred steps once it is told to, then reports how many bytes wait in its standard output. */
const SCRIPT = `
  import { createLogger } from ${JSON.stringify(LOGGER)};
  const logger = createLogger({ service: 'test', level: 'info' });
  process.send('ready');
  process.once('message', async () => {
    for (let step = 0; step < ${STEPS}; step += 1) {
      for (let line = 0; line < ${LINES_PER_STEP}; line += 1) logger.info('a line', { text1: 'x'.repeat(2_000) });
      await new Promise((resolve) => setTimeout(resolve, 12));
    }
    process.send(process.stdout.writableLength);
  });`;

let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill('SIGKILL');
});

async function start(): Promise<ChildProcess> {
  const options = ['--conditions=@postrider/source', '--disable-warning=ExperimentalWarning'];
  child = spawn(process.execPath, [...process.execArgv, ...options, '--input-type=module', '-e', SCRIPT], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return child;
}

/** The bytes that wait in the end; the exit code if the process ended. */
async function unreadAfterLogging(process: ChildProcess): Promise<number | string> {
  process.send('log');
  const reported = once(process, 'message').then(([bytes]) => Number(bytes));
  const ended = once(process, 'exit').then(([code]) => `ended with ${code}`);
  return Promise.race([reported, ended]);
}

describe('standard output', () => {
  it('whose reader has ended does not end the process', async () => {
    const process = await start();
    process.stdout?.destroy();
    expect(await unreadAfterLogging(process)).toEqual(expect.any(Number));
  });

  it('that nobody reads takes a limited amount of memory', async () => {
    expect(await unreadAfterLogging(await start())).toBeLessThan(3_000_000);
  });

  it('says how many lines were lost once it is read again', async () => {
    const process = await start();
    await unreadAfterLogging(process);
    let read = 0;
    let lost = 0;
    for await (const line of createInterface({ input: process.stdout as Readable })) {
      const { message, lines } = JSON.parse(line);
      if (message === 'a line') read += 1;
      else lost += lines;
      if (read + lost === LINES) break;
    }
    expect(lost).toBeGreaterThan(0);
  });
});
