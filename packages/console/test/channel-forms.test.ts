import { readFileSync } from 'node:fs';
import { status } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { emailShape, PROVIDERS } from '../src/screens/channels/forms/email.ts';
import { KINDS, shapeOfKind } from '../src/screens/channels/forms/index.ts';
import { ENVIRONMENT } from '../src/screens/settings-fields.ts';
import { type FormShape, withoutSecrets } from '../src/ui/fields.ts';
import { axeViolations, goTo, setUpConsole } from './support/console.ts';

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly string[];
}

const { components, paths } = JSON.parse(
  readFileSync(new URL('../../client/openapi.json', import.meta.url), 'utf8'),
) as {
  components: { schemas: Record<string, Schema> };
  paths: Record<string, { post: { requestBody: { content: { 'application/json': { schema: Schema } } } } }>;
};
const resolve = (schema: Schema): Schema =>
  schema.$ref ? resolve(components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema;
const bodyOf = (path: string) =>
  resolve(paths[path]?.post.requestBody.content['application/json'].schema ?? {});

/** The settings of a schema as paths, without those that requests ignore. */
function settingsOf(given: Schema, before = ''): string[] {
  const schema = resolve(given);
  const inner = schema.anyOf?.map(resolve).find(({ properties }) => properties) ?? schema;
  if (schema.description === 'Ignored.') return [];
  if (!inner.properties) return [before.slice(0, -1)];
  return Object.entries(inner.properties).flatMap(([name, each]) => settingsOf(each, `${before}${name}.`));
}

const fieldsOf = ({ first, advanced }: FormShape) =>
  [...first, ...advanced.flatMap(({ fields }) => fields)].map(({ at }) => at);
/** Those that another part of the screen edits, that the kind decides, and that only email has a use for. */
const ELSEWHERE = ['kind', 'enabled', 'filter', 'operational_email'];

describe('the forms of the console', () => {
  const kinds = bodyOf('/admin/v1/environments/{environmentId}/channels').oneOf?.map(resolve) ?? [];
  const nameOf = (schema: Schema) => schema.properties?.kind?.enum?.[0] ?? '';

  it('exist for every kind of channel and every setting of it', () => {
    expect(Object.keys(KINDS).sort()).toEqual(kinds.map(nameOf).sort());
    const missing = kinds.flatMap((schema) => {
      const name = nameOf(schema);
      const shapes =
        name === 'email'
          ? [...Object.keys(PROVIDERS), 'senders'].map((each) =>
              emailShape({ config: { [each]: each === 'senders' ? [] : {} } }),
            )
          : [shapeOfKind(name, {})];
      const fields = new Set(shapes.flatMap(fieldsOf));
      return settingsOf(schema)
        .filter((each) => !ELSEWHERE.includes(each) && !fields.has(each))
        .map((each) => `${name}: ${each}`);
    });
    expect(missing).toEqual([]);
  });

  it('keep no settings of a kind without a form in a draft, and no login in an address', () => {
    const own = { kind: 'pager', name: 'Night', config: { api_key: 'a secret' } };
    expect(withoutSecrets(shapeOfKind('pager', own), own)).toEqual({ kind: 'pager', name: 'Night' });
    const draft = (url: string) => withoutSecrets(shapeOfKind('webhook', {}), { config: { url } });
    expect(draft('https://user:p@ss@example.com/a?b=c@d')).toEqual({
      config: { url: 'https://example.com/a?b=c@d' },
    });
    expect(draft('https://example.com/users/@ada')).toEqual({
      config: { url: 'https://example.com/users/@ada' },
    });
  });

  it('exist for every setting of an environment', () => {
    const fields = fieldsOf(ENVIRONMENT);
    const settings = settingsOf(bodyOf('/admin/v1/tenants/{tenantId}/environments'));
    // The name cannot be changed, and the command line changes the names of streams.
    expect(settings.filter((each) => !fields.includes(each))).toEqual(['name', 'stream_names']);
  });
});

const service = setUpConsole();

describe('the form of a channel', () => {
  it('shows errors of the API at their fields, keeps a draft without secrets, and guards it', async () => {
    const { environmentId } = await service.world('Drafts');
    const opened = await service.operator({ path: `/e/${environmentId}/channels/new`, theme: 'dark' });
    const { page, complaints } = opened;
    page.on('dialog', (dialog) => void dialog.accept());
    await page.getByRole('radio', { name: 'Webhook' }).check();
    await page.getByRole('button', { name: 'Create and test' }).click();
    await page.getByText('2 fields need a change.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Legacy');
    await page.getByLabel('Address', { exact: true }).fill('not a URL');
    await page.getByText('Advanced', { exact: true }).click();
    await page.getByLabel('Time limit of one attempt (seconds)').fill('900');
    await page.getByLabel('Log in with').selectOption('bearer');
    await page.getByLabel('Token', { exact: true }).fill('a secret token');
    await page.getByText('Advanced', { exact: true }).click();
    await page.getByRole('button', { name: 'Create and test' }).click();
    const address = page.getByLabel('Address', { exact: true });
    await page.locator('.field', { has: address }).locator('.field-error').waitFor();
    await address.and(page.locator(':focus')).waitFor();
    const limit = page.getByLabel('Time limit of one attempt (seconds)');
    await page.locator('.field', { has: limit }).getByText('This must be <= 60000.').waitFor();
    expect(await axeViolations(opened, 'dark')).toEqual([]);

    await page.reload();
    await page.getByText('Your unsaved changes are back.').waitFor();
    await expect(address.inputValue()).resolves.toBe('not a URL');
    await expect(page.evaluate('JSON.stringify({...sessionStorage})')).resolves.not.toContain('secret token');
    await page.getByRole('link', { name: 'Templates' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Leave without saving?').waitFor();
    await dialog.getByRole('button', { name: 'Go back' }).click();
    await expect(address.inputValue()).resolves.toBe('not a URL');
    await page.getByRole('link', { name: 'Templates' }).click();
    await dialog.getByRole('button', { name: 'Discard the changes' }).click();
    await page.getByRole('heading', { name: 'Templates' }).waitFor();
    await goTo(opened, `/e/${environmentId}/channels/new`);
    await page.getByRole('radio', { name: 'Webhook' }).check();
    await expect(address.inputValue()).resolves.toBe('');
    expect(complaints).toEqual([]);

    const drafts = () =>
      page.evaluate<string[]>(
        "Object.keys(sessionStorage).filter((key) => key.startsWith('postrider.draft.'))",
      );
    await address.fill('https://example.com/left');
    expect(await drafts()).toHaveLength(1);
    await opened.context.clearCookies();
    await page.getByLabel('Name', { exact: true }).fill('Left');
    await page.getByRole('button', { name: 'Create and test' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await drafts()).toEqual([]);
  });

  it('creates a webhook with a body, a template and a signature, says that its test failed, and changes it', async () => {
    const { environmentId } = await service.world('Forms');
    const url = service.hooks().endpoint(`/legacy/${environmentId}`, status(500, {}, 'not today'));
    const opened = await service.operator({ path: `/e/${environmentId}/channels` });
    const { page, complaints } = opened;
    await page.getByRole('link', { name: 'Create a channel' }).click();
    await page.getByRole('radio', { name: 'Webhook' }).check();
    await page.getByLabel('Name', { exact: true }).fill('Legacy');
    await page.getByLabel('Address', { exact: true }).fill(url);
    await page.getByText('Advanced', { exact: true }).click();
    await page.getByLabel('Body format').selectOption('template');
    await page
      .getByLabel('Template of this channel (JSON)')
      .fill('{"id": "{{ message_id }}", "order": {"old": ["a"]}}');
    await page.getByLabel('Sign like').selectOption('custom');
    await page.getByLabel('Header', { exact: true }).fill('X-Signature');
    await page.getByLabel('Encoding').selectOption('base64');
    await page.getByLabel('Time limit of one attempt (seconds)').fill('2.5');
    await page.getByLabel('Stop sending to it after (hours)').fill('12');
    expect(await axeViolations(opened)).toEqual([]);
    await page.getByRole('button', { name: 'Create and test' }).click();
    await page.getByText('The test failed.').waitFor();
    await page.getByText('not today').waitFor();
    expect(await axeViolations(opened)).toEqual([]);
    const found = (await service.admin().channels.of(environmentId).page()).data;
    const made = found.find(({ name }) => name === 'Legacy');
    expect(made).toMatchObject({
      failure_policy: { pause_after: 43_200 },
      config: {
        body: 'template',
        timeout_ms: 2_500,
        template: { id: '{{ message_id }}', order: { old: ['a'] } },
        signature: { type: 'custom', header: 'X-Signature', encoding: 'base64' },
      },
    });
    await page.getByRole('link', { name: 'Open the channel' }).click();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByText('Advanced', { exact: true }).click();
    await expect(page.getByLabel('Stop sending to it after (hours)').inputValue()).resolves.toBe('12');
    await page.getByLabel('Template of this channel (JSON)').fill('{"order": {"new": true}}');
    await page.getByLabel('Sign like').selectOption('Standard Webhooks (default)');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The settings are saved.').waitFor();
    const { config } = await service.admin().channels.get(made?.id ?? '');
    expect(config).toMatchObject({ body: 'template', signature: null });
    expect((config as { template?: unknown }).template).toEqual({ order: { new: true } });
    expect(complaints).toEqual([]);
  });

  it('changes the provider of an email channel, and shows only that credentials of several senders are set', async () => {
    const { environmentId } = await service.world('Senders');
    const opened = await service.operator({ path: `/e/${environmentId}/channels/new` });
    const { page } = opened;
    await page.getByRole('radio', { name: 'Email' }).check();
    await page.getByRole('radio', { name: 'Postmark' }).check();
    await page.getByLabel('Name', { exact: true }).fill('Two ways');
    await page.getByLabel('From', { exact: true }).fill('shop@example.com');
    await page.getByLabel('Server API token').fill('a server token');
    await page.getByLabel('Send a test at once').uncheck();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('link', { name: 'Open the channel' }).click();
    await page.getByRole('cell', { name: 'server_token set' }).waitFor();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('radio', { name: 'Several' }).check();
    const sender = page.getByRole('group', { name: 'Sender 1' });
    await sender.getByLabel('Server API token').fill('a server token');
    await sender.getByLabel('Share of the mail').fill('3');
    await page.getByText('Advanced', { exact: true }).last().click();
    await page.getByLabel('Maximum attempts per second').fill('2.5');
    expect(await axeViolations(opened)).toEqual([]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The settings are saved.').waitFor();
    await page.getByRole('tab', { name: 'Activity' }).click();
    await page.getByText('2.5 attempts a second').waitFor();
    await page.getByRole('cell', { name: 'server_token set' }).waitFor();
    expect(await page.content()).not.toContain('a server token');
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('radio', { name: 'Resend' }).check();
    await page.getByLabel('API key').fill('re_key');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The settings are saved.').last().waitFor();
    await page.getByRole('tab', { name: 'Activity' }).click();
    await page.getByRole('cell', { name: 'api_key set' }).waitFor();
    const [channel] = (await service.admin().channels.of(environmentId).page()).data.filter(
      ({ name }) => name === 'Two ways',
    );
    expect(channel?.config).toMatchObject({ resend: {} });
    expect(channel?.config).not.toMatchObject({ senders: expect.any(Array) });
  });

  it('keeps stored secrets that are not entered again, and removes what belongs to another choice', async () => {
    const { environmentId, webhookChannelId } = await service.world('Secrets');
    await service.admin().channels.update(webhookChannelId, {
      config: {
        secret_headers: { 'x-api-key': 'keep me' },
        auth: { type: 'basic', username: 'u', password: 'p' },
      },
    });
    const opened = await service.operator({ path: `/e/${environmentId}/channels/${webhookChannelId}` });
    const { page } = opened;
    await page.getByText('x-api-key set').first().waitFor();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByText('Advanced', { exact: true }).click();
    await page.getByLabel('Name of a new one').fill('x-second');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByLabel('x-second', { exact: true }).fill('new');
    await page.getByLabel('v1a, with a public key').check();
    await page.getByLabel('Log in with').selectOption('bearer');
    await page.getByLabel('Token', { exact: true }).fill('t');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The settings are saved.').waitFor();
    const { config } = await service.admin().channels.get(webhookChannelId);
    expect(config).toMatchObject({
      secret_headers: { 'x-api-key': true, 'x-second': true },
      auth: { type: 'bearer' },
      signatures: ['v1', 'v1a'],
    });
    expect(await page.content()).not.toContain('keep me');
    await page.getByRole('tab', { name: 'Signature' }).click();
    await page.getByText('Nothing was sent yet.').waitFor();
    expect(await axeViolations(opened)).toEqual([]);
  });
});
