import type { Tenant } from '@postrider/client';
import { Command, Option } from 'commander';
import { type Act, examples } from '../action.ts';
import { record } from '../output/table.ts';
import { getCommand, listCommand } from '../standard-commands.ts';
import { given, type NONE, nullable } from '../values.ts';

const COLUMNS = ['id', 'name', 'plan', 'billing_status', 'grace_ends_at', 'created_at'];
const BILLING_STATUSES = ['active', 'past_due', 'suspended'] as const;

interface TenantOptions {
  readonly name?: string;
  readonly plan?: string;
  readonly billingStatus?: Tenant['billing_status'];
  readonly graceEndsAt?: string | typeof NONE;
}

function withBilling(command: Command): Command {
  return command
    .addOption(
      new Option('--billing-status <status>', 'whether its events are accepted').choices(BILLING_STATUSES),
    )
    .option('--grace-ends-at <time>', 'until when a past_due tenant may still send; none: no grace period');
}

function bodyOf({ name, plan, billingStatus, graceEndsAt }: TenantOptions) {
  return given({ name, plan, billing_status: billingStatus, grace_ends_at: nullable(graceEndsAt) });
}

function createCommand(act: Act): Command {
  const command = withBilling(
    new Command('create')
      .description('create a tenant')
      .requiredOption('--name <name>', 'the display name')
      .requiredOption('--plan <code>', 'the code of its plan'),
  ).action(
    act(async (session, { name, plan, ...options }: TenantOptions & { name: string; plan: string }) => {
      const body = { ...bodyOf(options), name, plan };
      session.show(await session.admin().tenants.create(body, session.call), record);
    }),
  );
  return examples(command, ['postrider tenants create --name Acme --plan team', 'With an existing plan.']);
}

function updateCommand(act: Act): Command {
  const command = withBilling(
    new Command('update')
      .description('change a tenant; options that are left out stay unchanged')
      .argument('<tenant>', 'the tenant, ten_…')
      .option('--name <name>', 'the display name')
      .option('--plan <code>', 'the code of its plan'),
  ).action(
    act(async (session, id: string, options: TenantOptions) => {
      session.show(await session.admin().tenants.update(id, bodyOf(options), session.call), record);
    }),
  );
  return examples(
    command,
    ['postrider tenants update ten_01… --plan enterprise', 'Move it to another plan.'],
    ['postrider tenants update ten_01… --billing-status suspended', 'Refuse its events.'],
  );
}

/** `postrider tenants`: the customers of the installation. */
export function tenantsCommand(act: Act): Command {
  const listAll = listCommand(
    act,
    'the tenants, newest first',
    COLUMNS,
    (session) => session.admin().tenants,
  );
  const get = getCommand(
    act,
    { description: 'one tenant', argument: '<tenant>', about: 'the tenant, ten_…' },
    (session, id) => session.admin().tenants.get(id, session.call),
  );
  return new Command('tenants')
    .description('the customers of the installation')
    .addCommand(listAll)
    .addCommand(get)
    .addCommand(createCommand(act))
    .addCommand(updateCommand(act));
}
