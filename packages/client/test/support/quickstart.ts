import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFixture, createTestDatabase } from '@postrider/db/testing';
import { createSecretBox } from '@postrider/domain';
import { waitFor } from '@postrider/rig';
import { chooseFreePort, startProgram } from '@postrider/rig/servers';
import { expect } from '@postrider/testing';
import { startServiceHere } from '../../../../apps/api/test/support/service.ts';
import type { OtherLanguage } from '../../generate-other-languages.mjs';
import { run } from '../generators/toolchains.ts';

/** The root of the checkout. */
export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** The programs in a README, which are its blocks of a language. */
export async function programsIn(readme: string, language: string): Promise<[send: string, receive: string]> {
  const text = await readFile(readme, 'utf8');
  const [send = '', receive = ''] = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)]
    .filter(([, name]) => name === language)
    .map(([, , program]) => program as string);
  return [send, receive];
}

/** Expects that a file of types is what its generator makes of the current OpenAPI document. */
export async function expectCurrentTypes({ file, generate }: OtherLanguage, programs: string): Promise<void> {
  const document = JSON.parse(await readFile(join(ROOT, 'packages/client/openapi.json'), 'utf8'));
  expect(await readFile(join(ROOT, file), 'utf8')).toBe(await generate(document, programs));
}

type Command = readonly [string, ...string[]];

/**
 * Runs the programs of a README against a service with a worker: one receives webhooks, the other sends an event, waits for
 * its delivery, replays it, and lists it.
 */
export async function expectQuickstart(
  commands: { send: Command; receive: Command },
  cwd: string,
): Promise<void> {
  const key = Buffer.alloc(32, 3);
  const database = await createTestDatabase();
  const service = await startServiceHere({
    database,
    worker: true,
    env: { ENCRYPTION_KEYS: `test:${key.toString('base64')}` },
  });
  const port = await chooseFreePort();
  const url = `http://127.0.0.1:${port}/webhooks`;
  const { token, channels } = await createFixture(
    database.db,
    { channels: [{ kind: 'webhook', name: 'Shop', config: { url } }] },
    createSecretBox([{ id: 'test', key }]),
  );
  const received: string[] = [];
  const [command, ...args] = commands.receive;
  const receiver = await startProgram({
    name: 'the receiver',
    command,
    args,
    cwd,
    env: { ...process.env, WEBHOOK_SECRET: channels[0]?.secret ?? '', PORT: String(port) },
    onLine: (line) => received.push(line),
  });
  try {
    expect(await receiver.output.waitFor(/^listening$/)).toBe(true);
    const [program, ...given] = commands.send;
    const variables = { POSTRIDER_URL: service.url, POSTRIDER_TOKEN: token };
    const sent = await run(program, given, cwd, { ...process.env, ...variables });
    const [, id] = /^accepted (msg_[0-9a-z]{26})\n/.exec(sent) ?? [];
    expect(sent).toBe(`accepted ${id}\n${id} A-1001\n`);
    const verified = () => received.filter((line) => /^run_[0-9a-z]{26} order\.shipped$/.test(line));
    await waitFor('the event and its replay', () => verified().length === 2);
  } finally {
    await receiver.stop();
    await service.stop();
    await database.drop();
  }
}
