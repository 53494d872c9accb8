import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { status, waitFor } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { setUpPortal } from './support/portal.ts';

const portal = setUpPortal();
const folder = fileURLToPath(new URL('../../console/verify/', import.meta.url));

interface Received {
  readonly headers: Record<string, unknown>;
  readonly body: string;
}

/** Reads `{ body, headers, secret }` from its input, and writes whether the request is genuine. */
const RUNNERS: Record<string, readonly [program: string, source: string]> = {
  'Node.js': [
    process.execPath,
    `const { isGenuine } = await import(${JSON.stringify(new URL('../../console/verify/verify.mjs', import.meta.url).href)});
     const { text } = await import('node:stream/consumers');
     const { body, headers, secret } = JSON.parse(await text(process.stdin));
     process.stdout.write(String(isGenuine(Buffer.from(body), headers, secret)));`,
  ],
  Python: [
    'python3',
    `import json, sys
sys.path.insert(0, ${JSON.stringify(folder)})
from verify import is_genuine
given = json.load(sys.stdin)
print(str(is_genuine(given["body"].encode(), given["headers"], given["secret"])).lower(), end="")`,
  ],
};

async function run(language: string, received: Received, secret: string): Promise<string> {
  const [program = '', source = ''] = RUNNERS[language] ?? [];
  const args =
    program === process.execPath ? ['--input-type=module', '--eval', source] : ['-B', '-c', source];
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], env: { PATH: process.env.PATH } });
  child.stdin.end(JSON.stringify({ ...received, secret }));
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return output;
}

describe.each(Object.keys(RUNNERS))('the code for %s', (language) => {
  it('accepts a signed request, also with one of two secrets, and refuses a changed, an old and an unsigned one', async () => {
    const world = await portal.world(`verify-${language.slice(0, 4).toLowerCase()}`);
    const address = `/${world.consumer}`;
    const url = portal.hooks().endpoint(address, status(200));
    const { id, secret } = await portal.endpoint(world, 'Receiver', url);
    await portal.send(world, { order_id: 'Ä-1001 😀' });
    const one = await waitFor('the request', () => portal.hooks().received(address)[0]);
    const { secret: newer } = await portal.call<{ secret: string }>(
      'POST',
      `/channels/${id}/rotate-secret`,
      {},
    );
    await portal.send(world);
    const two = await waitFor('the second request', () => portal.hooks().received(address)[1]);
    const changed = (headers: Record<string, string | undefined>) => ({
      body: one.body,
      headers: { ...one.headers, ...headers },
    });

    expect(await run(language, one, secret)).toBe('true');
    expect(await run(language, two, secret)).toBe('true');
    expect(await run(language, two, newer)).toBe('true');
    expect(await run(language, one, newer)).toBe('false');
    expect(await run(language, { ...one, body: one.body.replace('1001', '1002') }, secret)).toBe('false');
    expect(await run(language, changed({ 'webhook-id': 'run_other' }), secret)).toBe('false');
    expect(await run(language, changed({ 'webhook-timestamp': '1700000000' }), secret)).toBe('false');
    expect(await run(language, changed({ 'webhook-signature': 'v1,' }), secret)).toBe('false');
    expect(await run(language, changed({ 'webhook-signature': undefined }), secret)).toBe('false');
  });
});
