import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWebhookSecret } from '@postrider/domain';
import { startReceiver, status } from '@postrider/rig';
import { afterAll, beforeAll, expect, it } from '@postrider/testing';
import { createWebhookSender } from '../../../channels/src/webhook/sender.ts';
import { loopbackAllowed, webhookDelivery } from '../../../channels/test/support/delivery.ts';
import { findPython } from '../../../hostile/src/fuzz/python.ts';
import { describeWithToolchain, findProgram, LONG, PROGRAMS, run } from './toolchains.ts';

const STANDARD_WEBHOOKS = 'standardwebhooks==1.1.0';

interface Language {
  readonly name: string;
  /** The folder of the program beside this file, which POSTRIDER_MAY_SKIP can name. */
  readonly language: string;
  find(): Promise<string>;
  /** Installs the library and compiles the program. Returns its command. */
  build(toolchain: string, cwd: string): Promise<string>;
}

/** packages/channels/test/webhook has that of JavaScript. */
const LANGUAGES: readonly Language[] = [
  {
    name: 'Go',
    language: 'webhooks-go',
    find: () => findProgram('go'),
    async build(go, cwd) {
      await run(go, ['build', '-o', 'verify', '.'], cwd);
      return './verify';
    },
  },
  {
    name: 'Python',
    language: 'webhooks-python',
    find: findPython,
    async build(python, cwd) {
      await run(python, ['-m', 'venv', 'environment'], cwd);
      await run(join(cwd, 'environment/bin/pip'), ['install', '--quiet', STANDARD_WEBHOOKS], cwd);
      return 'environment/bin/python main.py';
    },
  },
];

let directory: string;
/** Two requests of a webhook channel during a rotation of its secret, with each secret, and with one that is not its. */
const requests: { readonly secret: string; readonly headers: object; readonly body: string }[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'postrider-webhooks-'));
  const receiver = await startReceiver();
  const sender = createWebhookSender({ isAddressAllowed: loopbackAllowed });
  const secrets = [createWebhookSecret(), createWebhookSecret()];
  const url = receiver.endpoint('/in', status(200));
  const body = '{"type":"order.shipped","data":{"note":"Größe 42 → 🎉"}}';
  await sender.send(webhookDelivery({ url }, { secrets, content: { body } }));
  const [sent] = receiver.received('/in');
  for (const secret of [...secrets, createWebhookSecret()])
    requests.push({ secret, headers: sent?.headers ?? {}, body: sent?.body ?? '' });
  requests.push({ secret: secrets[0] ?? '', headers: sent?.headers ?? {}, body: `${sent?.body} ` });
  sender.close();
  await receiver.close();
});
afterAll(() => rm(directory, { recursive: true, force: true }));

for (const { name, language, find, build } of LANGUAGES) {
  const title = `the library of Standard Webhooks for ${name}`;
  await describeWithToolchain({ title, language, find }, (toolchain) => {
    it(
      'accepts what a channel sends, with each secret of a rotation, and nothing else',
      async () => {
        const cwd = join(directory, language);
        await cp(join(PROGRAMS, language), cwd, { recursive: true });
        const program = await build(toolchain, cwd);
        const lines = requests.map((request) => JSON.stringify(request));
        await writeFile(join(cwd, 'requests'), `${lines.join('\n')}\n`);
        const output = await run('sh', ['-c', `${program} < requests`], cwd);
        expect(output.trim().split('\n')).toEqual(['order.shipped', 'order.shipped', 'refused', 'refused']);
      },
      LONG,
    );
  });
}
