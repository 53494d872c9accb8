import { execFileSync } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '@postrider/local-stack/testing';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { compileSchema } from '../../../apps/api/test/support/json-schema.ts';
import { readFolder } from '../src/config/read-folder.ts';
import { documentOf } from '../src/config/references.ts';
import type { OpenApiDocument } from '../src/config/schemas.ts';
import { type Exported, writeFolder } from '../src/config/write-folder.ts';

const OPEN_API = JSON.parse(
  readFileSync(join(ROOT, 'packages/client/openapi.json'), 'utf8'),
) as OpenApiDocument;
const MAIL = {
  ...{ kind: 'email', name: 'Mail', event_keys: ['order.*'] },
  config: {
    smtp: { host: 'mail.example.com', port: 587, username: 'shop' },
    from: { email: 'shop@example.com', name: 'text: of the shop' },
  },
};
const PASSWORD: Exported['secrets'][number] = {
  ...{ kind: 'channel', key: 'email Mail', path: '/config/smtp/password' },
};
const TEMPLATE = {
  ...{ event_key: 'order.shipped', channel_kind: 'email', subject: 'Order {{ payload.order_id }}' },
  ...{ html: '<p>Hello</p>\r\n<p>no line break at the end</p>', text: null },
};

const exportOf = (document: object, secrets = [PASSWORD]): Exported => ({
  document: { version: 1, ...document } as Exported['document'],
  secrets,
});
const EXPORTED = exportOf({
  settings: { unmatched_events: 'store' },
  event_types: [
    { event_key: 'order.shipped', description: 'It left.\nToday.', payload_schema: { type: 'object' } },
  ],
  channels: [MAIL, { kind: 'webhook', name: 'Läden & Co', config: { url: 'https://shop.example.com' } }],
  templates: [TEMPLATE],
  layouts: [{ name: 'main', content: '<mjml></mjml>\n' }],
  translations: [{ locale: 'fr', messages: { hello: 'Bonjour: "toi"', no: 'file:x' } }],
});

let root: string;
let directory: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'postrider-export-'));
});
afterAll(() => rmSync(root, { recursive: true }));

const io = (env: Record<string, string>) => ({ env }) as unknown as Parameters<typeof documentOf>[1];
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
const read = (file: string) => readFileSync(join(directory, file), 'utf8');
const write = (exported: Exported) => writeFolder(directory, exported, OPEN_API);

describe('an export', () => {
  it('is a file for each resource, beside its long texts, and the same document when it is read', () => {
    directory = join(root, 'new', 'config');
    write(EXPORTED);
    expect(filesIn(directory).filter((name) => !name.startsWith('.schemas'))).toEqual([
      ...[
        '.gitattributes',
        'channels/email-mail.yaml',
        'channels/webhook-laden-co.yaml',
        'event-types/order.shipped.yaml',
      ],
      ...['layouts/main.mjml', 'layouts/main.yaml', 'postrider.yaml', 'settings.yaml'],
      ...['templates/order.shipped-email.html', 'templates/order.shipped-email.yaml', 'translations/fr.yaml'],
    ]);
    expect(read('templates/order.shipped-email.yaml')).toBe(
      [
        '# yaml-language-server: $schema=../.schemas/NewEmailTemplate.json',
        'event_key: order.shipped',
        'channel_kind: email',
        'subject: Order {{ payload.order_id }}',
        'html: file:order.shipped-email.html',
        'text: null',
        '',
      ].join('\n'),
    );
    expect(read('channels/email-mail.yaml')).toContain('password: env:EMAIL_MAIL_SMTP_PASSWORD');
    const document = documentOf(readFolder(directory, {}), io({ EMAIL_MAIL_SMTP_PASSWORD: 'hunter2' }));
    const [mail, ...channels] = EXPORTED.document.channels as [typeof MAIL];
    expect(document).toEqual({
      ...EXPORTED.document,
      channels: [
        { ...mail, config: { ...mail.config, smtp: { ...mail.config.smtp, password: 'hunter2' } } },
        ...channels,
      ],
    });
  });

  it('keeps its line breaks if Git changes those of texts, as on Windows', () => {
    const git = (...words: string[]) =>
      execFileSync('git', ['-c', 'core.autocrlf=true', '-C', directory, ...words]);
    git('init', '--quiet');
    git('add', '.');
    const texts = ['layouts/main.mjml', 'templates/order.shipped-email.html'];
    for (const file of texts) rmSync(join(directory, file));
    git('checkout', '--quiet', '--', ...texts);
    expect(texts.map(read)).toEqual(['<mjml></mjml>\n', TEMPLATE.html]);
    rmSync(join(directory, '.git'), { recursive: true });
  });

  it('writes nothing when nothing has changed, and keeps names, comments and references', () => {
    expect(write(EXPORTED)).toMatchObject({ written: [], removed: [] });
    const before = readdirSync(directory).map((name) => statSync(join(directory, name)).ino);
    const own = `# Ours.\n${read('channels/email-mail.yaml').replace(/env:\w+/, 'file:../secrets/mail')}`;
    rmSync(join(directory, 'channels', 'email-mail.yaml'));
    writeFileSync(join(directory, 'channels', 'post.yaml'), own.replace('mail.example.com', 'env:MAIL_HOST'));
    expect(write(EXPORTED)).toMatchObject({ written: [], removed: [] });
    expect(readdirSync(directory).map((name) => statSync(join(directory, name)).ino)).toEqual(before);

    const changed = { ...MAIL, event_keys: ['*'] };
    const document = {
      ...EXPORTED.document,
      channels: [changed, (EXPORTED.document.channels as object[])[1]],
    };
    expect(write(exportOf(document))).toMatchObject({ written: ['channels/post.yaml'], removed: [] });
    expect(read('channels/post.yaml')).toMatch(
      /host: env:MAIL_HOST[\s\S]*password: file:\.\.\/secrets\/mail/,
    );
  });

  it('removes the files of removed resources, and no others', () => {
    writeFileSync(join(directory, 'templates', 'notes.html'), 'mine');
    writeFileSync(join(directory, 'README.md'), 'mine');
    const { removed } = write(exportOf({ ...EXPORTED.document, templates: [], translations: [] }));
    expect([...removed].sort()).toEqual([
      ...['templates/order.shipped-email.html', 'templates/order.shipped-email.yaml', 'translations/fr.yaml'],
    ]);
    expect(read('templates/notes.html') + read('README.md')).toBe('minemine');
  });

  it('leaves out what the folder does not manage, and keeps what the token may not read', () => {
    const { layouts: _, ...others } = EXPORTED.document;
    write(exportOf({ ...others, roles: [{ code: 'on-call', name: 'On call', scopes: [] }] }));
    expect(filesIn(directory)).toEqual(expect.arrayContaining(['layouts/main.mjml', 'layouts/main.yaml']));
    expect(filesIn(directory).join()).not.toContain('roles');
  });

  it('does not let two resources share a file, or a secret move to another sender', () => {
    directory = join(root, 'shared');
    const senders = ['a', 'b'].map((name) => ({
      name,
      provider: 'smtp',
      smtp: { host: `${name}.example.com` },
    }));
    const paths = [0, 1].map((at) => ({ ...PASSWORD, path: `/config/senders/${at}/smtp/password` }));
    const layouts = [{ name: 'a', content: '<b>' }];
    const channels = [
      { ...MAIL, config: { senders } },
      { ...MAIL, name: 'mail', config: { senders: [] } },
    ];
    write(exportOf({ channels, layouts: [...layouts, { name: 'b', content: '<b>' }] }, paths));
    expect(filesIn(join(directory, 'channels'))).toEqual(['email-mail-8a72d56f.yaml', 'email-mail.yaml']);
    for (const name of ['a', 'b'])
      writeFileSync(join(directory, `layouts/${name}.yaml`), `name: ${name}\ncontent: file:b.html\n`);
    const swapped = [{ ...MAIL, config: { senders: senders.toReversed() } }, channels[1]];
    write(exportOf({ channels: swapped, layouts: [...layouts, { name: 'b', content: '<i>' }] }, paths));
    expect([read('layouts/a.yaml'), read('layouts/b.yaml')].join()).toMatch(
      /file:b\.html[\s\S]*file:b-content\.html/,
    );
    const { layouts: stored } = documentOf(
      readFolder(directory, {}),
      io({
        EMAIL_MAIL_SENDERS_0_SMTP_PASSWORD: '1',
        EMAIL_MAIL_SENDERS_1_SMTP_PASSWORD: '2',
      }),
    );
    expect(stored).toMatchObject([{ content: '<b>' }, { content: '<i>' }]);
  });

  it('gives each secret a variable of its own', () => {
    const shop = { kind: 'webhook', name: 'Shop', config: { url: 'https://shop.example.com' } };
    const secrets = ['X-Key', 'X_Key'].map((name) => ({
      ...PASSWORD,
      key: 'webhook Shop',
      path: `/config/secret_headers/${name}`,
    }));
    const folder = join(root, 'two-secrets');
    writeFolder(folder, exportOf({ channels: [shop] }, secrets), OPEN_API);
    const text = readFileSync(join(folder, 'channels/webhook-shop.yaml'), 'utf8');
    expect(new Set(text.match(/env:\w+/g)).size).toBe(2);
  });

  it('writes only the sections that are asked for, and refuses one that the folder does not manage', () => {
    directory = join(root, 'some');
    const layouts = (content: string) => exportOf({ layouts: [{ name: 'main', content }], channels: [MAIL] });
    const writeOnly = (content: string, only: string[]) =>
      writeFolder(directory, layouts(content), OPEN_API, only).written;
    writeOnly('<p>', ['layouts', 'channels']);
    rmSync(join(directory, 'channels/email-mail.yaml'));
    expect(writeOnly('<b>', ['layouts'])).toEqual(['layouts/main.html']);
    expect(() => writeOnly('<i>', ['layouts', 'roles'])).toThrow(
      'postrider.yaml does not list the section roles.',
    );
  });

  it('does not write through a link out of the folder', () => {
    directory = join(root, 'linked');
    write(exportOf({ layouts: [] }));
    const outside = mkdtempSync(join(root, 'outside-'));
    symlinkSync(outside, join(directory, 'layouts'));
    expect(() => write(EXPORTED)).toThrow('outside the configuration folder');
    expect(readdirSync(outside)).toEqual([]);
  });

  it('has schemas of the service, which take its files and refuse a secret', () => {
    directory = join(root, 'schemas');
    write(EXPORTED);
    const validatorOf = (name: string) => compileSchema(JSON.parse(read(`.schemas/${name}.json`)));
    const names = readdirSync(join(directory, '.schemas')).map((name) => name.replace('.json', ''));
    expect(names.sort()).toEqual([
      ...['CreateLayoutRequest', 'CreateTranslationRequest', 'NewEmailChannel', 'NewEmailTemplate'],
      ...['NewWebhookChannel', 'PutEventTypeRequest', 'UpdateEnvironmentRequest'],
    ]);
    const folder = readFolder(directory, {});
    for (const { file, yaml } of folder.items) {
      const [, name = ''] = /schemas\/(\w+)\.json/.exec(read(file)) ?? [];
      const isValid = validatorOf(name);
      expect({ file, isValid: isValid(yaml.data), errors: isValid.errors }).toEqual({
        ...{ file, isValid: true, errors: null },
      });
    }
    const isValid = validatorOf('NewEmailChannel');
    expect(
      isValid({ ...MAIL, config: { ...MAIL.config, smtp: { ...MAIL.config.smtp, password: 'hunter2' } } }),
    ).toBe(false);
    expect(validatorOf('NewEmailTemplate')({ ...TEMPLATE, activate: true })).toBe(false);
    expect(validatorOf('PutEventTypeRequest')({ description: 'without its key' })).toBe(false);
  });
});
