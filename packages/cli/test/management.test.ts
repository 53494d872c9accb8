import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { AuditEntry, Environment, Page, Plan, Tenant } from '@postrider/client';
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
  it('creates a plan, changes some of its figures, and shows it', async () => {
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

  it('says which field is taken, and that a plan is not there', async () => {
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
  it('creates a tenant, moves it through its billing states, and shows it', async () => {
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

  it('creates the environments of a tenant, each name once', async () => {
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

  it('says that a plan is not there', async () => {
    const { code, stderr } = await postrider(['tenants', 'create', '--name', 'x', '--plan', unique('plan')]);

    expect(code).toBe(1);
    expect(stderr).toMatch(/\/plan /);
  });
});

describe('postrider audit-log', () => {
  it('tells who changed what, from what to what', async () => {
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
  it('is exit code 2 without one, and 4 with another', async () => {
    expect(await postrider(['plans', 'list'], { env: { ADMIN_TOKEN: '' } })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('ADMIN_TOKEN'),
    });
    expect(await postrider(['plans', 'list'], { env: { ADMIN_TOKEN: 'x'.repeat(32) } })).toMatchObject({
      code: 4,
    });
  });
});
