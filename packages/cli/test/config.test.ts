import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPostriderAdmin, type PostriderAdmin } from '@postrider/client';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import type { RunOptions } from './support/command-line.ts';
import { useManagement } from './support/management.ts';

const { environment: variables, postrider, anEnvironment } = useManagement();
const SECRETS = { EMAIL_MAIL_SMTP_PASSWORD: 'hunter2', WEBHOOK_SHOP_SECRET_HEADERS_X_KEY: 'hunter3' };

let root: string;
let admin: PostriderAdmin;
/** An environment with a resource of each kind. */
let source: string;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'postrider-config-service-'));
  admin = createPostriderAdmin({
    baseUrl: variables().POSTRIDER_URL,
    adminToken: variables().ADMIN_TOKEN,
  });
  source = (await anEnvironment()).id;
  await admin.environments.update(source, { unmatched_events: 'store' });
  await admin.eventTypes.put(source, 'order.shipped', {
    description: 'It left.',
    payload_schema: { type: 'object', examples: [{ order_id: 'A-1' }] },
  });
  await admin.translations.create(source, { locale: 'en', messages: { hello: 'Hello' }, activate: true });
  await admin.partials.create(source, { name: 'footer', content: '<p>Bye</p>', activate: true });
  await admin.layouts.create(source, {
    name: 'main',
    content: "<html>{% block %}{% endblock %}{% render 'footer' %}</html>\n",
    activate: true,
  });
  await admin.templates.create(source, {
    ...{ event_key: 'order.shipped', channel_kind: 'email', subject: 'Order {{ payload.order_id }}' },
    ...{ html: "{% layout 'main' %}\n<p>{{ 'hello' | t }}</p>\n", activate: true },
  });
  await admin.channels.create(source, {
    kind: 'webhook',
    name: 'Shop',
    config: { url: 'https://shop.example.com/hook', secret_headers: { 'X-Key': 'hunter3' } },
  });
  await admin.channels.create(source, {
    kind: 'email',
    name: 'Mail',
    config: {
      smtp: { host: 'mail.example.com', port: 587, username: 'shop', password: 'hunter2' },
      from: { email: 'shop@example.com' },
    },
  });
}, 120_000);
afterAll(() => rmSync(root, { recursive: true }));

const folder = (name: string) => join(root, name);
const config = (args: readonly string[], options: RunOptions = {}) =>
  postrider(['config', ...args], { ...options, env: { ...SECRETS, ...options.env } });
const exported = (environment: string, name: string) =>
  config(['export', '--environment', environment, '--out', folder(name), '--sections', SECTIONS]);
const SECTIONS = 'settings,event_types,channels,templates,layouts,partials,translations';
const textsIn = (name: string) =>
  Object.fromEntries(
    readdirSync(folder(name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [file.slice(folder(name).length + 1), readFileSync(file, 'utf8')]),
  );
/** Changes a file of a folder. */
function edit(name: string, file: string, change: (text: string) => string): void {
  writeFileSync(join(folder(name), file), change(readFileSync(join(folder(name), file), 'utf8')));
}

describe('postrider config', () => {
  it('exports an environment, which applied to an empty one and exported again is the same', async () => {
    expect(await exported(source, 'rich')).toMatchObject({ code: 0, stderr: '' });
    const files = textsIn('rich');
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining([
        ...['channels/email-mail.yaml', 'channels/webhook-shop.yaml', 'settings.yaml'],
        ...['templates/order.shipped-email.html', 'layouts/main.html', 'translations/en.yaml'],
      ]),
    );
    expect(JSON.stringify(files)).not.toMatch(/hunter[23]/);
    expect(files['channels/webhook-shop.yaml']).toContain('X-Key: env:WEBHOOK_SHOP_SECRET_HEADERS_X_KEY');

    const { id: target } = await anEnvironment();
    const to = ['--environment', target, folder('rich')];
    const before = await config(['diff', ...to]);
    expect(before).toMatchObject({ code: 1, stderr: 'The folder and the environment differ.\n' });
    expect(before.stdout).toMatch(/^\+ create channel email Mail$/m);
    const applied = await config(['apply', ...to, '--yes']);
    expect({ code: applied.code, stderr: applied.stderr }).toEqual({ code: 0, stderr: '' });
    // A log of a pipeline must not have the secret that the service made.
    expect(applied.stdout).toContain('The service created a signing secret for webhook Shop');
    expect(before.stdout + applied.stdout).not.toMatch(/hunter[23]|whsec_/);
    expect(await config(['diff', ...to])).toMatchObject({ code: 0, stdout: 'No changes.\n' });
    expect(await config(['apply', ...to, '--yes'])).toMatchObject({ code: 0, stdout: 'No changes.\n' });

    await exported(target, 'copy');
    expect(textsIn('copy')).toEqual(files);
    expect(await exported(target, 'copy')).toMatchObject({ stdout: expect.stringMatching(/^0 written/m) });
  }, 240_000);

  it('shows what differs, without what a reference stands for, and removes only with --prune', async () => {
    const { id } = await anEnvironment();
    await exported(source, 'changed');
    const to = ['--environment', id, folder('changed')];
    await config(['apply', ...to, '--yes']);
    rmSync(join(folder('changed'), 'channels', 'email-mail.yaml'));
    edit('changed', 'templates/order.shipped-email.html', (text) => text.replace('<p>', '<p class="x">'));
    edit('changed', 'channels/webhook-shop.yaml', (text) => text.replace(/url: .*/, 'url: env:SHOP_URL'));
    const env = {
      SHOP_URL: 'https://shop.example.com/secret-path',
      WEBHOOK_SHOP_SECRET_HEADERS_X_KEY: 'hunter4',
    };
    const { code, stdout } = await config(['diff', ...to], { env, terminal: true });
    expect(code).toBe(1);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
    const plain = stdout.replaceAll(/\u001b\[\d+m/g, '');
    expect(stdout).not.toBe(plain);
    expect(plain).toMatch(/^ {6}- <p>.*\n {6}\+ <p class="x">/m);
    expect(plain).toMatch(/^ {4}\/config\/url\n {6}- \(another value\)\n {6}\+ env:SHOP_URL$/m);
    expect(plain).toMatch(/\/config\/secret_headers\/X-Key another secret/);
    expect(plain).toMatch(/^\? channel email Mail is not in the folder \(--prune\)$/m);
    expect(plain).not.toMatch(/secret-path|hunter/);
    const asJson = await config(['diff', ...to, '--json'], { env });
    expect(asJson.json()).toMatchObject({ changes: [{ kind: 'template' }, { kind: 'channel' }] });
    expect(asJson.stdout).not.toMatch(/secret-path|hunter/);

    await config(['apply', ...to, '--yes'], { env });
    expect((await admin.channels.of(id).page()).data).toHaveLength(2);
    await config(['apply', ...to, '--yes', '--prune'], { env });
    expect((await admin.channels.of(id).page()).data).toMatchObject([{ name: 'Shop' }]);
  }, 240_000);

  it('names the file and the line of what the service refuses, and of a template that cannot be rendered', async () => {
    await exported(source, 'wrong');
    const to = ['--environment', source, folder('wrong')];
    edit('wrong', 'channels/webhook-shop.yaml', (text) => text.replace(/url: .*/, 'url: nowhere'));
    edit('wrong', 'templates/order.shipped-email.html', (text) => `${text}{% render 'missing' %}\n`);
    const { code, stdout, stderr } = await config(['diff', ...to]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const lines = readFileSync(join(folder('wrong'), 'channels/webhook-shop.yaml'), 'utf8').split('\n');
    const line = lines.indexOf('  url: nowhere') + 1;
    expect(stderr).toMatch(new RegExp(`^channels/webhook-shop\\.yaml:${line} /config/url `, 'm'));
    expect(stderr).toMatch(/^templates\/order\.shipped-email\.(?:yaml|html):\d+ /m);

    await exported(source, 'unrendered');
    edit('unrendered', 'templates/order.shipped-email.html', (text) => `${text}{{ payload.missing }}\n`);
    const checked = await config(['apply', '--environment', source, folder('unrendered'), '--yes']);
    expect(checked.code).toBe(2);
    expect(checked.stderr).toMatch(/^templates\/order\.shipped-email\.(?:yaml|html):\d+ .*missing/m);
  }, 120_000);

  it('asks before it applies, and applies nothing but the plan that it has shown', async () => {
    await exported(source, 'asked');
    const { id } = await anEnvironment();
    const to = ['--environment', id, folder('asked')];
    const silent = await config(['apply', ...to]);
    expect(silent).toMatchObject({ code: 2, stderr: expect.stringContaining('add --yes') });
    const refused = await config(['apply', ...to], { terminal: true, stdin: 'no\n' });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was changed.') });

    const asked = new AbortController();
    const question = once(asked.signal, 'abort');
    const answer = async function* () {
      await question;
      await admin.partials.create(id, { name: 'footer', content: '<p>By hand</p>', activate: true });
      yield 'yes\n';
    };
    const overtaken = await config(['apply', ...to], {
      terminal: true,
      stdin: answer(),
      onError: (text) => text.includes('Type yes') && asked.abort(),
    });
    expect(overtaken).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('postrider config diff again'),
    });
    expect((await admin.channels.of(id).page()).data).toEqual([]);

    const agreed = await config(['apply', ...to], { terminal: true, stdin: 'yes\n' });
    expect(agreed.code).toBe(0);
    expect(agreed.stdout).toMatch(/signing secret of webhook Shop .*whsec_/);
  }, 240_000);

  it('promotes from one profile to another, through a folder that has the values of the target', async () => {
    const { id } = await anEnvironment();
    const home = folder('home');
    mkdirSync(join(home, 'postrider'), { recursive: true });
    const profile = (environment: string) => ({
      ...{ url: variables().POSTRIDER_URL, token: variables().ADMIN_TOKEN, environment },
    });
    const profiles = { staging: profile(source), production: profile(id) };
    writeFileSync(join(home, 'postrider', 'profiles.json'), JSON.stringify({ profiles }), { mode: 0o600 });
    // The variables are of another installation: the profiles count.
    const env = {
      XDG_CONFIG_HOME: home,
      POSTRIDER_URL: 'http://127.0.0.1:64999',
      SHOP_URL: 'https://live.example.com',
    };
    const names = ['--from', 'staging', '--to', 'production'];

    const parts = await config(
      ['promote', ...names, '--sections', 'templates,layouts,partials,translations', '--yes'],
      { env },
    );
    expect({ code: parts.code, stderr: parts.stderr }).toEqual({ code: 0, stderr: '' });
    expect((await admin.channels.of(id).page()).data).toEqual([]);
    const missing = await config(['promote', ...names, '--yes'], { env });
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('password') });

    await exported(source, 'promoted');
    edit('promoted', 'channels/webhook-shop.yaml', (text) => text.replace(/url: .*/, 'url: env:SHOP_URL'));
    const all = await config(['promote', ...names, folder('promoted'), '--yes'], { env });
    expect({ code: all.code, stderr: all.stderr }).toEqual({ code: 0, stderr: '' });
    const { data } = await admin.channels.of(id).page();
    expect(data.map(({ name }) => name).sort()).toEqual(['Mail', 'Shop']);
    expect(data).toContainEqual(
      expect.objectContaining({ config: expect.objectContaining({ url: 'https://live.example.com' }) }),
    );
    const layouts = ['promote', ...names, folder('promoted'), '--sections', 'layouts', '--yes'];
    const withoutUrl = { ...env, SHOP_URL: '' };
    expect((await config(layouts, { env: withoutUrl })).code).toBe(0);
    expect((await admin.channels.of(id).page()).data).toEqual(data);
    expect(await config(['promote', '--from', 'nobody', '--to', 'production'], { env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--from must be an environment (env_…), or a profile with one'),
    });
  }, 240_000);
});
