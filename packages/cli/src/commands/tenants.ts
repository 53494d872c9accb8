import { type BillingStatus, createTenant } from '@postrider/db';
import { formatId } from '@postrider/domain';
import { Command, Option } from 'commander';
import { slug, time } from '../arguments.ts';
import { withContext } from '../context.ts';

/** `postrider tenants`: the customers of the installation. */
export function tenantsCommand(): Command {
  const create = new Command('create')
    .description('create a tenant')
    .requiredOption('--name <name>', 'the name for people')
    .requiredOption('--plan <code>', 'the code of its plan', slug)
    .addOption(
      new Option('--billing-status <status>', 'whether it may send')
        .choices(['active', 'past_due', 'suspended'])
        .default('active'),
    )
    .option('--grace-ends-at <time>', 'until when a past_due tenant may still send', time)
    .action((options) =>
      withContext(async (context) => {
        const tenant = await createTenant(context, {
          name: options.name,
          planCode: options.plan,
          billingStatus: options.billingStatus as BillingStatus,
          graceEndsAt: options.graceEndsAt ?? null,
        });
        return { id: formatId('ten', tenant) };
      }),
    );
  return new Command('tenants').description('the customers of the installation').addCommand(create);
}
