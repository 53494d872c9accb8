import { type BillingStatus, createEnvironment, createTenant, issueToken, putPlan } from '@postrider/db';
import { CHANNEL_KINDS, formatId } from '@postrider/domain';
import { Command, Option } from 'commander';
import { id, slug, time, wholeNumber } from '../arguments.ts';
import { withContext } from '../context.ts';

const MOST = 2_147_483_647;

/** `postrider plans`: what tenants may use. */
export function plansCommand(): Command {
  const put = new Command('put')
    .description('create a plan, or bring it to these figures; a figure left out is unlimited')
    .requiredOption('--code <code>', 'the code that tenants refer to', slug)
    .requiredOption('--name <name>', 'the name for people')
    .option('--events-per-month <n>', 'accepted events and replays in a calendar month', wholeNumber(0, MOST))
    .option(
      '--requests-per-second <n>',
      'sustained rate per environment; needs --burst',
      wholeNumber(1, MOST),
    )
    .option('--burst <n>', 'requests at once; needs --requests-per-second', wholeNumber(1, MOST))
    .option('--max-payload-bytes <n>', 'largest request body', wholeNumber(1, 262_144))
    .option('--max-schedule-days <n>', 'how far ahead schedule_at may lie', wholeNumber(0, 36_500))
    .option('--retention-days <n>', 'how long messages are kept', wholeNumber(1, 36_500))
    .action((options) =>
      withContext(async ({ db }) => {
        await putPlan(db, {
          code: options.code,
          name: options.name,
          eventsPerMonth: options.eventsPerMonth ?? null,
          requestsPerSecond: options.requestsPerSecond ?? null,
          burst: options.burst ?? null,
          maxPayloadBytes: options.maxPayloadBytes ?? null,
          maxScheduleDays: options.maxScheduleDays ?? null,
          retentionDays: options.retentionDays ?? null,
          channelKinds: CHANNEL_KINDS,
        });
        return { plan: options.code };
      }),
    );
  return new Command('plans').description('what tenants may use').addCommand(put);
}

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

/** `postrider environments`: development, staging, production of a tenant. */
export function environmentsCommand(): Command {
  const create = new Command('create')
    .description('create an environment of a tenant')
    .requiredOption('--tenant <id>', 'the tenant, ten_…', id('ten'))
    .requiredOption('--name <slug>', 'unique within the tenant', slug)
    .action((options) =>
      withContext(async (context) => {
        const environment = await createEnvironment(context, {
          tenantId: options.tenant,
          name: options.name,
        });
        return { id: formatId('env', environment) };
      }),
    );
  return new Command('environments').description('the isolated environments of a tenant').addCommand(create);
}

/** `postrider tokens`: what clients authenticate with. */
export function tokensCommand(): Command {
  const create = new Command('create')
    .description('issue a token; it is shown now and never again')
    .requiredOption('--environment <id>', 'the environment, env_…', id('env'))
    .requiredOption('--name <name>', 'what it is for')
    .option('--expires-at <time>', 'from when it is refused', time)
    .action((options) =>
      withContext(async (context) => {
        const issued = await issueToken(context, {
          environmentId: options.environment,
          name: options.name,
          expiresAt: options.expiresAt ?? null,
        });
        return { id: formatId('tok', issued.id), token: issued.token };
      }),
    );
  return new Command('tokens').description('what clients authenticate with').addCommand(create);
}
