import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { FROM_SOURCES } from '@postrider/local-stack/testing';
import { expect, it } from '@postrider/testing';
import { senderEnvironment } from '../src/stack/services.ts';

const GOT_SENDER = new URL('../../channels/src/http/got-sender.ts', import.meta.url).href;
const SCRIPT = `console.log((await import('${GOT_SENDER}')).createGotSender.name)`;

it.each([
  ['got', 'createGotSender'],
  ['undici', 'createUndiciSender'],
] as const)('a worker that is to send with %s does', async (sender, created) => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...FROM_SOURCES, '--input-type=module', '--eval', SCRIPT],
    { env: { ...process.env, NODE_OPTIONS: '', ...senderEnvironment(sender) } },
  );
  expect(stdout.trim()).toBe(created);
});
