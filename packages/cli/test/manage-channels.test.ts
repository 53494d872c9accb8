import type { ConfiguredChannel } from '@postrider/client';
import { describe, expect, it } from '@postrider/testing';
import { useManagement } from './support/management.ts';

const { postrider, made, anEnvironment } = useManagement();

describe('postrider channels', () => {
  it('creates a webhook channel, shows its secret once, and changes it', async () => {
    const { id: environment } = await anEnvironment();
    const created = await made<ConfiguredChannel & { secret: string }>(
      ...['channels', 'create-webhook', '--environment', environment, '--name', 'ERP'],
      ...['--url', 'https://erp.example.com/in', '--event-keys', 'order.*, invoice.paid'],
      ...['--header', 'X-Shop: 7', '--header', 'X-Region: eu:1', '--timeout-ms', '5000'],
      ...['--retry', '{"max_attempts":3,"delays_seconds":[1,10]}'],
    );
    const changed = await made(
      'channels',
      'update',
      created.id,
      '--disable',
      '--url',
      'https://erp.example.com/2',
    );
    const rotated = await made<{ secret: string }>(
      'channels',
      'rotate-secret',
      created.id,
      '--overlap-seconds',
      '60',
    );

    expect(created).toMatchObject({
      secret: expect.stringMatching(/^whsec_/),
      event_keys: ['order.*', 'invoice.paid'],
      config: { headers: { 'X-Shop': '7', 'X-Region': 'eu:1' }, timeout_ms: 5_000 },
      retry: { max_attempts: 3 },
    });
    expect(changed).toMatchObject({
      enabled: false,
      config: { url: 'https://erp.example.com/2', timeout_ms: 5_000 },
    });
    expect(rotated.secret).not.toBe(created.secret);
    expect(JSON.stringify(await made('channels', 'get', created.id))).not.toContain('whsec_');
  });

  it('creates a feedback token for an email channel and shows it once', async () => {
    const { id: environment } = await anEnvironment();
    const { id } = await made<ConfiguredChannel>(
      ...['channels', 'create-email', '--environment', environment, '--name', 'Mail'],
      ...['--smtp-host', 'smtp.example.com', '--smtp-port', '587', '--from-email', 'shop@example.com'],
    );
    const { stdout, stderr } = await postrider(['channels', 'feedback-token', id]);
    const token = /fb_[0-9A-Za-z]{36}/.exec(stdout)?.[0] ?? 'none';
    expect(stdout).toContain(`/feedback/v1/${token}/`);
    expect(stderr).toContain('not shown again');
    const read = await made<ConfiguredChannel>('channels', 'get', id);
    expect(read.feedback_token_set).toBe(true);
    expect(JSON.stringify(read)).not.toContain(token);
  });

  it('creates an email channel with a password from the environment or stdin, and does not show it', async () => {
    const { id: environment } = await anEnvironment();
    const smtp = [
      '--smtp-host',
      'smtp.example.com',
      '--smtp-port',
      '465',
      '--smtp-secure',
      '--smtp-username',
      'shop',
    ];
    const create = [
      ...['channels', 'create-email', '--environment', environment, '--name', 'Mail', ...smtp],
      ...[
        '--from-email',
        'shop@example.com',
        '--from-name',
        'Shop',
        '--reply-to',
        'help@example.com',
        '--json',
      ],
    ];
    const env = { SMTP_PASSWORD: 'marked-password-1' };
    const fromEnv = await postrider([...create, '--smtp-password-from', 'env'], { env });
    const fromStdin = await postrider([...create, '--smtp-password-from', 'stdin'], {
      stdin: 'marked-password-2\n',
    });
    const without = await postrider([...create, '--smtp-password-from', 'env']);
    const taken = await made(
      'channels',
      'update',
      fromEnv.json<ConfiguredChannel>().id,
      ...['--smtp-password-from', 'none', '--smtp-username', 'none', '--reply-to', 'none'],
    );

    for (const { code, json } of [fromEnv, fromStdin]) {
      expect(code).toBe(0);
      expect(json()).toMatchObject({
        password_set: true,
        config: { smtp: { secure: true, username: 'shop' } },
      });
    }
    for (const { stdout, stderr } of [fromEnv, fromStdin])
      expect(stdout + stderr).not.toContain('marked-password');
    expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining('SMTP_PASSWORD') });
    expect(taken).toMatchObject({
      password_set: false,
      config: { reply_to: null, smtp: { username: null } },
    });
  });

  it('creates an email channel that logs in with access tokens, and does not show their secrets', async () => {
    const { id: environment } = await anEnvironment();
    const tokens = [
      ...['--smtp-username', 'shop@example.com'],
      ...['--smtp-oauth2-token-url', 'https://oauth2.googleapis.com/token'],
      ...['--smtp-oauth2-client-id', 'shop', '--smtp-oauth2-client-secret-from', 'env'],
      ...['--smtp-oauth2-refresh-token-from', 'env', '--smtp-oauth2-scope', 'https://mail.google.com/'],
    ];
    const env = { SMTP_CLIENT_SECRET: 'marked-secret-1', SMTP_REFRESH_TOKEN: 'marked-refresh-1' };
    const { stdout, stderr, json } = await postrider(
      [
        ...['channels', 'create-email', '--environment', environment, '--name', 'Mail', '--json'],
        ...['--smtp-host', 'smtp.gmail.com', '--smtp-port', '587', '--from-email', 'shop@example.com'],
        ...tokens,
      ],
      { env },
    );
    const { id, config, credentials_set } = json<ConfiguredChannel>();
    const without = await made<ConfiguredChannel>(
      ...['channels', 'update', id, '--smtp-oauth2-token-url', 'none', '--smtp-username', 'none'],
    );

    expect(config).toMatchObject({
      smtp: {
        username: 'shop@example.com',
        oauth2: {
          token_url: 'https://oauth2.googleapis.com/token',
          client_id: 'shop',
          scope: 'https://mail.google.com/',
        },
      },
    });
    expect(credentials_set).toEqual([
      'senders/smtp/oauth2/client_secret',
      'senders/smtp/oauth2/refresh_token',
    ]);
    expect(stdout + stderr).not.toContain('marked-');
    expect(without).toMatchObject({
      credentials_set: [],
      config: { smtp: { username: null, oauth2: null } },
    });
  });

  it('reads a config from a file or stdin', async () => {
    const { id: environment } = await anEnvironment();
    const create = [
      'channels',
      'create-webhook',
      '--environment',
      environment,
      '--name',
      'ERP',
      '--config-file',
      '-',
    ];
    const { code, json } = await postrider([...create, '--json'], {
      stdin: '{"url":"https://erp.example.com/in","headers":{"Authorization":"Bearer x"}}',
    });

    expect(code).toBe(0);
    expect(json()).toMatchObject({ config: { headers: { Authorization: 'Bearer x' } } });
  });

  it('lists and deletes channels, and warns that the secret is shown only once', async () => {
    const { id: environment } = await anEnvironment();
    const scope = ['--environment', environment];
    const created = await postrider([
      ...['channels', 'create-webhook', ...scope, '--name', 'ERP', '--url', 'https://erp.example.com/in'],
    ]);
    const id = /^id +(chn_\w+)$/m.exec(created.stdout)?.[1] ?? '';
    const listed = await postrider(['channels', 'list', ...scope]);
    await made('channels', 'delete', id);

    expect(created.stderr).toMatch(/not shown again/);
    expect(listed.stdout).toMatch(new RegExp(`^${id} +webhook +ERP +no_traffic +\\*$`, 'm'));
    expect(await postrider(['channels', 'get', id])).toMatchObject({ code: 3 });
    expect((await postrider(['channels', 'list', ...scope])).stdout).toBe('none\n');
  });

  it('sends a test that is marked as such', async () => {
    const { id: environment } = await anEnvironment();
    const url = 'https://erp.example.com/in';
    const channel = await made<ConfiguredChannel>(
      ...['channels', 'create-webhook', '--environment', environment, '--name', 'ERP', '--url', url],
    );

    expect(await made('channels', 'test', channel.id)).toMatchObject({
      message_id: expect.stringMatching(/^msg_/),
      delivery_runs: [{ channel: { id: channel.id } }],
    });
  });

  it('refuses to enable and disable in one command', async () => {
    expect(await postrider(['channels', 'update', 'chn_1', '--enable', '--disable'])).toMatchObject({
      code: 2,
    });
  });
});
