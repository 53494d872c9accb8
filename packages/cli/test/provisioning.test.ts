import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSnapshots } from '@postrider/db';
import { createTestDatabase, type TestDatabase } from '@postrider/db/testing';
import { createSecretBox, hashToken, parseEncryptionKeys, parseId } from '@postrider/domain';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const ENCRYPTION_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

let database: TestDatabase;
let files: string;
beforeAll(async () => {
  database = await createTestDatabase();
  files = await mkdtemp(join(tmpdir(), 'postrider-cli-'));
});
afterAll(async () => {
  await database.drop();
  await rm(files, { recursive: true });
});

interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function postrider(args: readonly string[], env: Record<string, string> = {}): Promise<Finished> {
  const nodeArguments = ['--conditions=@postrider/source', '--import', 'tsx', MAIN, ...args];
  const variables = { PATH: process.env.PATH, DATABASE_URL: database.url, ENCRYPTION_KEYS, ...env };
  return new Promise((resolve) => {
    execFile(process.execPath, nodeArguments, { cwd: ROOT, env: variables }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr });
    });
  });
}

async function created(...args: string[]): Promise<Record<string, string>> {
  const { code, stdout, stderr } = await postrider(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

describe('the postrider command', () => {
  it('sets up a tenant from an empty installation to what a request needs', async () => {
    await writeFile(join(files, 'mail.html'), '<p>Hello {{ recipient.name }}</p>');
    expect(await created('migrate')).toEqual({ applied: [] });
    await created('plans', 'put', '--code', 'team', '--name', 'Team', '--events-per-month', '1000');
    const tenant = await created('tenants', 'create', '--name', 'Acme', '--plan', 'team');
    const environment = await created(
      'environments',
      'create',
      '--tenant',
      tenant.id ?? '',
      '--name',
      'staging',
    );
    const scope = ['--environment', environment.id ?? ''];
    const [token, webhook, mail, template] = await Promise.all([
      created('tokens', 'create', ...scope, '--name', 'backend'),
      created('channels', 'create-webhook', ...scope, '--name', 'ERP', '--url', 'https://erp.example.com/in'),
      created(
        ...['channels', 'create-email', ...scope, '--name', 'Mail', '--smtp-host', 'mail.example.com'],
        ...['--smtp-port', '587', '--from-email', 'shop@example.com', '--event-keys', 'order.*'],
      ),
      created(
        ...['templates', 'create-email', ...scope, '--event-key', 'order.shipped', '--subject', 'On its way'],
        ...['--html-file', join(files, 'mail.html')],
      ),
    ]);

    expect(token.token).toMatch(/^pr_staging_/);
    const snapshots = createSnapshots({ db: database.db });
    const found = await snapshots.token(hashToken(token.token ?? ''));
    const snapshot = await snapshots.environment(found?.environmentId ?? '');
    expect(snapshot?.plan.eventsPerMonth).toBe(1000);
    expect(new Map(snapshot?.channels.map((channel) => [channel.name, channel.eventKeys]))).toEqual(
      new Map([
        ['ERP', ['*']],
        ['Mail', ['order.*']],
      ]),
    );
    expect(snapshot?.activeTemplate('order.shipped', 'email')).toBe(parseId('tpl', template.id ?? ''));
    expect(parseId('chn', mail.id ?? '')).not.toBeNull();

    const id = parseId('chn', webhook.id ?? '') ?? '';
    const row = await database.db.channel.findUniqueOrThrow({ where: { id } });
    const parsed = parseEncryptionKeys(ENCRYPTION_KEYS);
    if (!parsed.ok) throw new Error('the test’s key is not a key');
    expect(row.sealedSecret).not.toContain(webhook.secret);
    expect(createSecretBox(parsed.keys).open(row.sealedSecret ?? '', id)).toEqual({
      ok: true,
      plaintext: webhook.secret,
    });
  });

  it('names every missing variable at once and prints no value', async () => {
    const result = await postrider(['tenants', 'create', '--name', 'x', '--plan', 'team'], {
      DATABASE_URL: 'mysql://user:hunter2@x/y',
      ENCRYPTION_KEYS: 'weak',
    });
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(/DATABASE_URL/);
    expect(result.stderr).toMatch(/ENCRYPTION_KEYS/);
    expect(result.stderr).not.toMatch(/hunter2|weak/);
  });

  it.each([
    ['an id of another kind', ['environments', 'create', '--tenant', 'env_01', '--name', 'x'], /ten_01/],
    [
      'a tenant that does not exist',
      ['environments', 'create', '--tenant', 'ten_01h455vb4pex5vsknk084sn02q', '--name', 'x'],
      /does not exist/,
    ],
    [
      'an address with credentials',
      ['channels', 'create-webhook', '--url', 'https://u:p@example.com'],
      /http/,
    ],
    [
      'a day that does not exist',
      ['tenants', 'create', '--name', 'x', '--plan', 'x', '--grace-ends-at', '2027-02-31T09:00:00Z'],
      /time with an offset/,
    ],
    ['a plan that does not exist', ['tenants', 'create', '--name', 'x', '--plan', 'none'], /does not exist/],
  ])('says what is wrong with %s', async (_, args, message) => {
    const result = await postrider(args);
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(message);
    expect(result.stderr).not.toMatch(/ at .*\.ts:/);
  });

  it('refuses a template that cannot be parsed, with its place', async () => {
    await writeFile(join(files, 'broken.html'), '<p>\n{% if recipient.name %}</p>');
    const result = await postrider([
      ...[
        'templates',
        'create-email',
        '--environment',
        'env_01h455vb4pex5vsknk084sn02q',
        '--event-key',
        'a.b',
      ],
      ...['--subject', 'x', '--html-file', join(files, 'broken.html')],
    ]);
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(/\/html.*line 2/);
  });
});
