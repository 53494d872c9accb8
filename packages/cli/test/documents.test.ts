import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { channelKinds } from '@postrider/channels';
import { acrossEnvironments } from '@postrider/db';
import { createTestDatabase, type TestDatabase } from '@postrider/db/testing';
import {
  createSecretBox,
  createToken,
  createUuidV7Source,
  createWebhookSecret,
  TEMPLATE_WARNING_CODES,
} from '@postrider/domain';
import { startWebhookReceiver, type WebhookReceiver } from '@postrider/local-stack';
import { ROOT, seedDemo, startTestService, type TestService } from '@postrider/local-stack/testing';
import { type MailServer, startMailServer } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';

const run = promisify(execFile);
const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const EXAMPLES = fileURLToPath(new URL('../examples/', import.meta.url));
/** Stands for scripts/postrider.mjs, without the preparation of the checkout, which takes seconds. */
const NPM = `#!/bin/sh
[ "$1 $2" = 'run --silent' ] || exit 64
shift 2
[ "$1" = --prefix ] && { [ -e "$2/package.json" ] || exit 64; shift 2; }
[ "$1 $2" = 'postrider --' ] || exit 64
shift 2
exec '${process.execPath}' '${MAIN}' "$@"
`;

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** In the order in which somebody reads them: the first ones set what the others use. */
const PAGES = [
  ...['README.md', 'docs/managing.md', 'docs/destinations.md', 'docs/email-providers.md'],
  ...['docs/templates.md', 'docs/deploying.md'],
];
/** They use an environment of docs/managing.md. */
const GUIDES = [
  ...['quickstart-integrators', 'quickstart-operators', 'quickstart-support', 'quickstart-templates'],
  ...['first-email', 'filters', 'plans-and-quotas', 'configuration-as-code'],
].map((name) => `docs/guides/${name}.md`);
/** Pages with programs in other languages, which use the environment of docs/managing.md. */
const PROGRAMS = ['docs/guides/quickstart-integrators.md', 'docs/guides/testing.md'];
/** Commands that start an installation, or run the tests. `npm run test:artefacts` installs the packages and runs their commands. */
const NOT_ON_AN_INSTALLATION = /^(?:npm (?:start|test)$|npm install \.\/packages\.out\/|cp docker\/|helm )/;

const blocksOf = (page: string, language = 'sh') =>
  [...read(page).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, text = '']) => text,
  );

/** How to run a program of a page, from the folder that packages are found from. */
const LANGUAGES = [
  { language: 'js', file: 'program.mjs', command: [process.execPath] },
  { language: 'python', file: 'program.py', command: ['python3'] },
  { language: 'go', file: 'program.go', command: ['go', 'run'] },
] as const;

let database: TestDatabase;
let service: TestService;
let receiver: WebhookReceiver;
let mail: MailServer;
let directory: string;
let env: Record<string, string | undefined>;
const token = createToken('development');

/** A new installation, and a shell in which npm is there and the command is not. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'postrider-documents-'));
  await mkdir(join(directory, 'bin'));
  await writeFile(join(directory, 'bin', 'npm'), NPM, { mode: 0o755 });
  const { NODE_COMPILE_CACHE } = process.env;
  const shared = { PATH: `${join(directory, 'bin')}:${process.env.PATH}`, NODE_COMPILE_CACHE };

  database = await createTestDatabase({ empty: true });
  await run(process.execPath, [MAIN, 'migrate'], { env: { ...shared, DATABASE_URL: database.url } });
  const key = randomBytes(32);
  service = await startTestService({
    databaseUrl: database.url,
    worker: true,
    env: { ENCRYPTION_KEYS: `test:${key.toString('base64')}` },
  });
  const secret = createWebhookSecret();
  receiver = await startWebhookReceiver({ secret });
  mail = await startMailServer();
  await seedDemo(
    {
      db: acrossEnvironments(database.db),
      newId: createUuidV7Source(),
      secretBox: createSecretBox([{ id: 'test', key }]),
      kinds: channelKinds,
    },
    {
      token,
      webhook: { url: receiver.hookUrl, secret },
      smtp: { host: '127.0.0.1', port: mail.port },
    },
  );
  env = {
    ...shared,
    POSTRIDER_URL: service.url,
    ADMIN_TOKEN: service.adminToken,
    WEBHOOK_URL: receiver.hookUrl,
  };
}, 180_000);
afterAll(async () => {
  await receiver.close();
  await mail.close();
  await service.stop();
  await database.drop();
  await rm(directory, { recursive: true });
});

/** Without what differs between two events. */
const normalised = (timeline: string) =>
  timeline
    .replaceAll(/\b(msg|run)_\w+/g, '$1_…')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}Z/g, '(time)')
    .replaceAll(/\d+\.\d{3} s/g, '(s)')
    .replaceAll(/\b\d+ ms/g, '(ms)')
    // Mail servers say it each in their own way.
    .replaceAll(/250 .*queued.*/g, '250 (queued)')
    .trim();

describe('the first example', () => {
  it.each(['first-event.sh', 'first-event-curl.sh'])(
    '%s delivers an event on a new installation, and again when it is repeated',
    async (example) => {
      for (let count = 0; count < 2; count += 1) {
        const { stdout } = await run(EXAMPLES + example, { env });
        expect(stdout).toMatch(/✓ attempt 1 succeeded|"attempts":\[\{"id":"att_\w+".*"status":"succeeded"/);
      }
    },
    180_000,
  );

  it('shows the timeline of the README', async () => {
    const readme = read('README.md');
    const [, body = ''] = /-d '(\{"event_key".*\})'/.exec(readme) ?? [];
    const response = await fetch(`${service.url}/api/v1/events`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      },
      body,
    });
    const { message_id: id } = (await response.json()) as { message_id: string };
    const show =
      'until npm run --silent postrider -- messages show "$0" | tee shown | head -1 | grep -v pending; do :; done; cat shown';
    const { stdout } = await run('bash', ['--norc', '-c', show, id], {
      cwd: directory,
      env: { ...env, POSTRIDER_TOKEN: token },
    });
    const [, ...lines] = normalised(stdout).split('\n');
    const [, timeline = ''] = /^```text\n(msg_[\s\S]*?)^```$/m.exec(readme) ?? [];
    expect(lines.join('\n')).toBe(normalised(timeline));
  }, 60_000);
});

describe('the first event of the quickstart', () => {
  it('is delivered by all channels of npm start', async () => {
    const [, event = ''] = /^event='(.*)'$/m.exec(read('docs/guides/quickstart-integrators.md')) ?? [];
    const { event_key, recipient, payload } = JSON.parse(event);
    const facts = ['--event-key', event_key, '--to', recipient.email, '--payload', JSON.stringify(payload)];
    // It exits with 1 unless all runs succeeded.
    const { stdout } = await run(process.execPath, [MAIN, 'events', 'send', ...facts, '--wait'], {
      env: { ...env, POSTRIDER_TOKEN: token },
    });
    expect(stdout).toMatch(/^email "Local mail" succeeded/m);
  }, 60_000);
});

describe('the documents', () => {
  it('have no commands on other pages', async () => {
    const { stdout } = await run('git', ['ls-files', 'README.md', 'docs/*.md'], { cwd: ROOT });
    const pages = stdout.split('\n').filter((file) => /^[^/]*(?:docs\/(?:guides\/)?[^/]*)?\.md$/.test(file));
    expect(pages.filter((page) => blocksOf(page).length > 0).sort()).toEqual([...PAGES, ...GUIDES].sort());
  });

  it.each([
    ['pages', PAGES],
    // So those of docs/managing.md are repeated. The other pages use its new environment, so that they would repeat nothing.
    ['guides', ['docs/managing.md', ...GUIDES]],
  ])(
    'have commands on %s that work in their order on an installation',
    async (_, pages) => {
      const script = pages
        .flatMap((page) =>
          blocksOf(page)
            .filter((block) => !NOT_ON_AN_INSTALLATION.test(block.trim()))
            .map((block) => `echo '# ${page}' >&2\n${block}`),
        )
        .join('\n')
        .replaceAll('http://127.0.0.1:4000', new URL(receiver.hookUrl).origin);
      const { stdout } = await run('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
        cwd: directory,
        env,
      });
      expect(stdout).toMatch(/^webhook "Shop" succeeded/m);
    },
    480_000,
  );

  it.each(LANGUAGES)(
    'have programs in $language that work',
    async ({ language, file, command: [program, ...args] }) => {
      // For the packages that the program imports, which a user installs.
      const folder = await mkdtemp(join(ROOT, 'packages/cli/dist/programs-'));
      const programs = PROGRAMS.flatMap((page) => blocksOf(page, language));
      expect(programs).not.toEqual([]);
      for (const text of programs) {
        await writeFile(join(folder, file), text);
        const end = run(program, [...args, join(folder, file)], {
          env: { ...process.env, POSTRIDER_URL: service.url, POSTRIDER_TOKEN: token },
        });
        const isMissing = await end.then(
          () => false,
          (error) => error.code === 'ENOENT' || Promise.reject(error),
        );
        if (isMissing)
          process.stderr.write(`The programs in ${language} are not run: there is no ${program}.\n`);
      }
      await rm(folder, { recursive: true });
    },
    240_000,
  );

  it('list every variable with a secret of a channel', () => {
    const options = channelKinds.definitions.flatMap(({ command }) => command.options);
    const variables = options.flatMap(({ description }) => /variable ([A-Z_]+)/.exec(description)?.[1] ?? []);
    expect(new Set(variables).size).toBe(15);
    for (const page of ['docs/configuration.md', 'packages/cli/README.md']) {
      expect(variables.filter((variable) => !read(page).includes(`\`${variable}\``))).toEqual([]);
    }
  });

  it('list every warning of a template', () => {
    const [, table = ''] = /^## Checks before sending\n([\s\S]*?)^## /m.exec(read('docs/templates.md')) ?? [];
    expect(TEMPLATE_WARNING_CODES.filter((code) => !table.includes(`\`${code}\``))).toEqual([]);
  });
});
