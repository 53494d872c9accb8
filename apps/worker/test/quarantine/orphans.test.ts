import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createFixture, testRedisUrl } from '@postrider/db/testing';
import { createSecretBox } from '@postrider/domain';
import { hang, type Receiver, startReceiver, waitFor } from '@postrider/rig';
import { afterEach, beforeEach, describe, expect, it } from '@postrider/testing';
import { webhookChannel } from '../support/channels.ts';
import { type Harness, startHarness } from '../support/harness.ts';
import { quarantineAll } from '../support/poison.ts';
import { isolatedProcessesOf, isRunning } from '../support/processes.ts';

const MAIN = fileURLToPath(new URL('../../dist/bundle/main.js', import.meta.url));
const KEY = Buffer.alloc(32, 7);
const OUTLIVE_PARENT = new URL('../../../../packages/rendering/dist/outlive-parent.js', import.meta.url);

let children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
});

function start(args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, args, {
    env: { PATH, NODE_ENV: 'test', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  children.push(child);
  return child;
}

describe('the process in which a killed worker tried a run alone', () => {
  let harness: Harness;
  let receiver: Receiver;
  beforeEach(async () => {
    [harness, receiver] = await Promise.all([startHarness(), startReceiver()]);
  });
  afterEach(async () => {
    await harness.close();
    await receiver.close();
  });

  it('writes the result of its open attempt and exits', async () => {
    const input = { channels: [webhookChannel(receiver.endpoint('/open', hang), { timeoutMs: 3_000 })] };
    const fixture = await createFixture(harness.db, input, createSecretBox([{ id: 'test', key: KEY }]));
    const event = await harness.accept({ ...fixture, input }, { enqueue: false });
    await quarantineAll(harness);
    const worker = start([MAIN], {
      DATABASE_URL: harness.databaseUrl,
      REDIS_URL: testRedisUrl(),
      WORKER_PORT: '0',
      METRICS_PORT: '0',
      ENCRYPTION_KEYS: `test:${KEY.toString('base64')}`,
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    });
    await waitFor('the request', () => receiver.received('/open').length === 1);
    const [pid = 0] = isolatedProcessesOf(worker.pid ?? 0);
    expect(isRunning(pid)).toBe(true);
    const gone = once(worker, 'exit');
    worker.kill('SIGKILL');
    await gone;
    await waitFor('its isolated process to be gone', () => !isRunning(pid));
    expect((await harness.run(fixture, event)).attempts).toMatchObject([
      { status: 'unknown', errorCode: 'webhook_timeout' },
    ]);
  });
});

it('exits after its worker was killed, even if a run blocks its event loop forever', async () => {
  const endless = `
    import { outliveParentBy } from '${OUTLIVE_PARENT}';
    outliveParentBy(100);
    setTimeout(() => {
      process.stdout.write(String(process.pid) + '\\n');
      for (;;);
    }, 500);`;
  const args = JSON.stringify(['--input-type=module', '-e', endless]);
  const parent = start([
    '-e',
    `require('node:child_process').spawn(process.execPath, ${args}, { stdio: ['ignore', 'inherit', 'inherit'] })`,
  ]);
  let output = '';
  parent.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  const pid = Number(await waitFor('its id', () => /^(\d+)\n/.exec(output)?.[1]));
  expect(isRunning(pid)).toBe(true);
  parent.kill('SIGKILL');
  await waitFor('it to be gone', () => !isRunning(pid));
});
