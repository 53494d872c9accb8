import type { AuditEntry, Environment, Page, Plan, Tenant, Token } from '@postrider/client';
import { describe, expect, it } from '@postrider/testing';
import { unique, useManagement } from './support/management.ts';

const { postrider, made, aTenant, anEnvironment } = useManagement();

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
