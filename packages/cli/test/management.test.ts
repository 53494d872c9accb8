import { randomBytes } from 'node:crypto';
import type {
  AuditEntry,
  ConfiguredChannel,
  Environment,
  Page,
  Plan,
  Tenant,
  Token,
} from '@postrider/client';
import { describe, expect, it } from '@postrider/testing';
import { useService } from './support/service.ts';

const service = useService();
const { postrider } = service;

/** A name that no other test uses. */
const unique = (prefix: string) => `${prefix}-${randomBytes(4).toString('hex')}`;

/** The result of a command that must succeed. */
async function made<Result>(...args: string[]): Promise<Result> {
  const { code, stderr, json } = await postrider([...args, '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return json<Result>();
}

describe('postrider plans', () => {
  it('creates a plan, changes some of its limits and shows it', async () => {
    const code = unique('plan');
    await made('plans', 'create', '--code', code, '--name', 'Team', '--events-per-month', '1000');
    const rate = ['--requests-per-second', '5', '--burst', '10'];
    await made('plans', 'update', code, '--events-per-month', 'none', ...rate);
    const plan = await made<Plan>('plans', 'get', code);
    const plans = await made<Page<Plan>>('plans', 'list', '--all');

    expect(plan).toMatchObject({ name: 'Team', events_per_month: null, requests_per_second: 5, burst: 10 });
    expect(plans.data).toContainEqual(plan);
  });

  it('shows them as a table', async () => {
    const code = unique('plan');
    await made('plans', 'create', '--code', code, '--name', 'Mail', '--channel-kinds', 'email');
    const { stdout } = await postrider(['plans', 'list', '--all']);

    expect(stdout).toMatch(/^CODE +NAME +EVENTS PER MONTH/);
    expect(stdout).toMatch(new RegExp(`^${code} +Mail +- +- +- +email$`, 'm'));
  });

  it('reports a duplicate field and an unknown plan', async () => {
    const code = unique('plan');
    await made('plans', 'create', '--code', code, '--name', 'Team');

    expect(await postrider(['plans', 'create', '--code', code, '--name', 'Team'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^already_exists \(409\)(.|\n)*\/code/),
    });
    expect(await postrider(['plans', 'get', unique('plan')])).toMatchObject({ code: 3 });
  });
});

/** A tenant on a plan of its own. */
async function aTenant(): Promise<Tenant> {
  const code = unique('plan');
  await made('plans', 'create', '--code', code, '--name', 'Test');
  return made<Tenant>('tenants', 'create', '--name', 'Acme', '--plan', code);
}

describe('postrider tenants and environments', () => {
  it('creates a tenant, changes its billing state, and shows it', async () => {
    const { id } = await aTenant();
    const pastDue = ['--billing-status', 'past_due', '--grace-ends-at', '2099-01-01T00:00:00Z'];
    const inGrace = await made<Tenant>('tenants', 'update', id, ...pastDue);
    const active = await made<Tenant>(
      'tenants',
      'update',
      id,
      '--billing-status',
      'active',
      '--grace-ends-at',
      'none',
    );

    expect(inGrace).toMatchObject({ billing_status: 'past_due', grace_ends_at: '2099-01-01T00:00:00.000Z' });
    expect(active).toMatchObject({ billing_status: 'active', grace_ends_at: null });
    expect(await made('tenants', 'get', id)).toEqual(active);
    expect((await made<Page<Tenant>>('tenants', 'list', '--all')).data).toContainEqual(active);
  });

  it('creates environments with unique names', async () => {
    const tenant = await aTenant();
    const create = ['environments', 'create', '--tenant', tenant.id, '--name'];
    const staging = await made<Environment>(...create, 'staging');
    const production = await made<Environment>(...create, 'production');
    const all = await made<Page<Environment>>('environments', 'list', '--tenant', tenant.id);

    expect(all.data).toEqual([production, staging]);
    expect(await made('environments', 'get', staging.id)).toEqual(staging);
    expect(await postrider([...create, 'staging'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/already_exists/),
    });
  });

  it('reports an unknown plan', async () => {
    const { code, stderr } = await postrider(['tenants', 'create', '--name', 'x', '--plan', unique('plan')]);

    expect(code).toBe(1);
    expect(stderr).toMatch(/\/plan /);
  });
});

/** An environment of a new tenant. */
async function anEnvironment(): Promise<Environment> {
  const tenant = await aTenant();
  return made<Environment>('environments', 'create', '--tenant', tenant.id, '--name', 'staging');
}

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
    expect(listed.stdout).toMatch(new RegExp(`^${id} +webhook +ERP +yes +ok +\\*$`, 'm'));
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

describe('postrider tokens', () => {
  it('issues a token that works, rotates it, and revokes it', async () => {
    const { id: environment } = await anEnvironment();
    const create = ['tokens', 'create', '--environment', environment, '--name', 'backend'];
    const issued = await made<Token & { token: string }>(...create, '--expires-at', '2099-01-01T00:00:00Z');
    const rotated = await made<Token & { token: string }>(
      'tokens',
      'rotate',
      issued.id,
      '--overlap-seconds',
      '60',
    );
    await made('tokens', 'revoke', rotated.id);
    const listed = await made<Page<Token>>('tokens', 'list', '--environment', environment);

    expect(issued.token).toMatch(/^pr_staging_/);
    expect(await postrider(['usage'], { env: { POSTRIDER_TOKEN: issued.token } })).toMatchObject({ code: 0 });
    expect(listed.data.map(({ id, revoked_at }) => [id, revoked_at === null])).toEqual([
      [rotated.id, false],
      [issued.id, true],
    ]);
    expect(JSON.stringify(listed)).not.toContain(issued.token);
  });

  it('warns that the token is shown only once', async () => {
    const { id } = await anEnvironment();
    const { stdout, stderr } = await postrider(['tokens', 'create', '--environment', id, '--name', 'me']);

    expect(stdout).toMatch(/^token +pr_staging_\w+$/m);
    expect(stderr).toMatch(/not shown again/);
  });
});

describe('postrider console', () => {
  it('prints a link, which is listed without its secret and can be revoked', async () => {
    const { url } = await made<{ url: string }>('--actor', 'grace', 'console');
    const links = await made<Page<{ id: string; actor: string }>>('console-links', 'list');
    const link = links.data.find(({ actor }) => actor === 'grace');
    expect(link).toMatchObject({ id: expect.stringMatching(/^ses_/), issued_by: null });
    expect(JSON.stringify(links)).not.toContain(url.split('#link=')[1]);
    await made('console-links', 'revoke', link?.id ?? '');
    expect(
      (await made<Page<{ id: string; actor: string }>>('console-links', 'list')).data,
    ).not.toContainEqual(link);
    expect(await postrider(['console-sessions', 'end', 'ses_x'])).toMatchObject({ code: 3 });
  });
});

describe('postrider audit-log', () => {
  it('shows who changed what, with the values before and after', async () => {
    const { id } = await aTenant();
    await made('tenants', 'update', id, '--name', 'Acme Ltd', '--actor', 'ada@example.com');
    const log = await made<Page<AuditEntry>>('audit-log', '--resource', id);
    const { stdout } = await postrider(['audit-log', '--resource', id, '--by', 'ada@example.com']);

    expect(log.data.map(({ action, actor }) => [action, actor])).toEqual([
      ['tenant.updated', 'ada@example.com'],
      ['tenant.created', 'admin'],
    ]);
    expect(log.data[0]).toMatchObject({ before: { name: 'Acme' }, after: { name: 'Acme Ltd' } });
    expect(log.data[0]?.request_id).toMatch(/^cli-/);
    expect(stdout.match(/tenant\.\w+/g)).toEqual(['tenant.updated']);
  });
});

describe('management without the right token', () => {
  it('exits with 2 without a token and with 4 for a wrong one', async () => {
    expect(await postrider(['plans', 'list'], { env: { ADMIN_TOKEN: '' } })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('ADMIN_TOKEN'),
    });
    expect(await postrider(['plans', 'list'], { env: { ADMIN_TOKEN: 'x'.repeat(32) } })).toMatchObject({
      code: 4,
    });
  });
});
