import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChangedTemplate, EventType, Page, TemplatePreview, TemplateSummary } from '@postrider/client';
import { formatId } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { useService } from './support/service.ts';

const service = useService();

let files: string;
beforeAll(async () => {
  files = await mkdtemp(join(tmpdir(), 'postrider-cli-'));
});
afterAll(() => rm(files, { recursive: true }));

async function file(name: string, text: string): Promise<string> {
  const path = join(files, name);
  await writeFile(path, text);
  return path;
}

/** The scope of an environment of its own. */
async function scope(): Promise<string[]> {
  const { environmentId } = await service.fixture({});
  return ['--environment', formatId('env', environmentId)];
}

/** The result of a command that must succeed. */
async function made<Result>(args: readonly string[], stdin = ''): Promise<Result> {
  const { code, stderr, json } = await service.postrider([...args, '--json'], { stdin });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return json<Result>();
}

const SUBJECT = 'Order {{ payload.order_id }}';

describe('postrider templates', () => {
  it('adds versions, rolls back to an older one, and deactivates it', async () => {
    const environment = await scope();
    const html = await file('mail.html', '<p>Hello {{ recipient.name }}</p>');
    const create = [
      'templates',
      'create-email',
      ...environment,
      '--event-key',
      'order.shipped',
      '--subject',
      SUBJECT,
    ];
    const first = await made<ChangedTemplate>([...create, '--html-file', html]);
    const second = await made<ChangedTemplate>([...create, '--text-file', '-'], 'Hello');
    const third = await made<ChangedTemplate>([...create, '--html-file', html, '--no-activate']);
    const back = await made<ChangedTemplate>(['templates', 'activate', first.id]);
    const active = await made<Page<TemplateSummary>>(['templates', 'list', ...environment, '--active']);
    const gone = await made<ChangedTemplate>(['templates', 'deactivate', first.id]);

    expect([first, second, third].map(({ version, active }) => [version, active])).toEqual([
      [1, true],
      [2, true],
      [3, false],
    ]);
    expect(back.active).toBe(true);
    expect(active.data.map(({ id }) => id)).toEqual([first.id]);
    expect(gone.active).toBe(false);
  });

  it('adds a JSON webhook body', async () => {
    const create = [
      'templates',
      'create-webhook',
      ...(await scope()),
      '--event-key',
      'order.shipped',
      '--body-file',
      '-',
    ];
    const { id } = await made<ChangedTemplate>(create, '{"id":"{{ payload.order_id }}"}');
    const preview = await made<TemplatePreview>([
      'templates',
      'preview',
      id,
      '--payload',
      '{"order_id":"A\\"1"}',
    ]);

    expect(preview).toMatchObject({ deliverable: true, rendered: { body: { id: 'A"1' } } });
  });

  it('previews the content and names missing variables', async () => {
    const html = await file('mail.html', '<p>Hello {{ recipient.name }}</p>\n<p>{{ payload.note }}</p>');
    const { id } = await made<ChangedTemplate>([
      ...['templates', 'create-email', ...(await scope()), '--event-key', 'order.shipped'],
      ...['--subject', SUBJECT, '--html-file', html],
    ]);
    const recipient = ['--recipient', '{"name":"Grace"}'];
    const short = await service.postrider(['templates', 'preview', id, ...recipient]);
    const payload = await file('payload.json', '{"order_id":"A-7","note":"Soon"}');
    const whole = await service.postrider([
      'templates',
      'preview',
      id,
      ...recipient,
      '--payload-file',
      payload,
    ]);

    const twice = await service.postrider([
      ...['templates', 'preview', id, '--payload', '{}', '--payload-file', payload],
    ]);

    expect([short.code, whole.code, twice.code]).toEqual([1, 0, 2]);
    expect(twice.stderr).toContain('cannot be used with option');
    expect(short.stderr).toBe('The template cannot be sent for this event.\n');
    expect(short.stdout).toMatch(/^would fail$/m);
    expect(short.stdout).toMatch(/^missing: payload\.note \(\/html line 2, column \d+\)$/m);
    expect(whole.stdout).toMatch(/^would be sent$/m);
    expect(whole.stdout).toMatch(/^subject\nOrder A-7$/m);
    expect(whole.stdout).toMatch(/^Hello Grace$/m);
  });

  it('shows a version with its content', async () => {
    const { id } = await made<ChangedTemplate>([
      ...['templates', 'create-email', ...(await scope()), '--event-key', 'order.shipped'],
      ...['--subject', SUBJECT, '--text-file', await file('mail.txt', 'One\nTwo {{ payload.a }}\n')],
    ]);

    expect((await service.postrider(['templates', 'get', id])).stdout).toContain(
      '\ntext\nOne\nTwo {{ payload.a }}\n',
    );
  });

  it('reports where a template cannot be parsed', async () => {
    const html = await file('broken.html', '<p>\n{% if recipient.name %}</p>');
    const { code, stderr } = await service.postrider([
      ...['templates', 'create-email', ...(await scope()), '--event-key', 'a.b', '--subject', 'x'],
      ...['--html-file', html],
    ]);

    expect(code).toBe(1);
    expect(stderr).toMatch(/^ {2}\/html .* \(line 2, column \d+\)$/m);
  });
});

describe('postrider event-types', () => {
  it('creates an event type with a schema, shows it and lists it', async () => {
    const environment = await scope();
    const key = [...environment, '--event-key', 'order.shipped'];
    const schema = { type: 'object', required: ['order_id'] };
    const put = ['event-types', 'put', ...key, '--description', 'Left the house.', '--schema-file', '-'];
    await made(put, JSON.stringify(schema));

    expect(await made<EventType>(['event-types', 'get', ...key])).toMatchObject({ payload_schema: schema });
    const { stdout } = await service.postrider(['event-types', 'list', ...environment]);
    expect(stdout).toMatch(/^order\.shipped +Left the house\. +- +yes +/m);
    expect(
      await service.postrider(['event-types', 'get', ...environment, '--event-key', 'order.lost']),
    ).toMatchObject({
      code: 3,
    });
  });

  it('reports the issues of a schema', async () => {
    const put = [
      'event-types',
      'put',
      ...(await scope()),
      '--event-key',
      'order.shipped',
      '--schema-file',
      '-',
    ];
    const { code, stderr } = await service.postrider(put, { stdin: '{"type":"objekt"}' });

    expect(code).toBe(1);
    expect(stderr).toMatch(/^ {2}\/payload_schema\/type /m);
  });
});
