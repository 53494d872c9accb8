import { putPlan } from '@postrider/db';
import { CHANNEL_KINDS } from '@postrider/domain';
import { Command } from 'commander';
import { slug, wholeNumber } from '../arguments.ts';
import { withContext } from '../context.ts';

/** What a column of Postgres' type integer holds at most. */
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
