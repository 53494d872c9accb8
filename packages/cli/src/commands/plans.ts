import type { Plan } from '@postrider/client';
import { Command } from 'commander';
import { type Act, examples } from '../action.ts';
import { record } from '../output/table.ts';
import { getCommand, listCommand } from '../standard-commands.ts';
import { given, limit, list, type NONE, nullable } from '../values.ts';

const COLUMNS = ['code', 'name', 'events_per_month', 'requests_per_second', 'burst', 'channel_kinds'];

type Limit = number | typeof NONE;

interface PlanOptions {
  readonly name?: string;
  readonly eventsPerMonth?: Limit;
  readonly requestsPerSecond?: Limit;
  readonly burst?: Limit;
  readonly maxPayloadBytes?: Limit;
  readonly maxScheduleDays?: Limit;
  readonly retentionDays?: Limit;
  readonly channelKinds?: Plan['channel_kinds'];
}

function withFigures(command: Command): Command {
  return command
    .option('--events-per-month <n>', 'events and replays of a calendar month; none: unlimited', limit)
    .option(
      '--requests-per-second <n>',
      'sustained rate of an environment, with --burst; none: unlimited',
      limit,
    )
    .option('--burst <n>', 'requests at once, with --requests-per-second; none: unlimited', limit)
    .option('--max-payload-bytes <n>', 'largest body of an event; none: unlimited', limit)
    .option('--max-schedule-days <n>', 'how far ahead an event may be scheduled; none: unlimited', limit)
    .option('--retention-days <n>', 'how long messages can be read; none: unlimited', limit)
    .option('--channel-kinds <kinds>', 'kinds of channel, such as email,webhook', list);
}

function bodyOf(options: PlanOptions) {
  return given({
    name: options.name,
    events_per_month: nullable(options.eventsPerMonth),
    requests_per_second: nullable(options.requestsPerSecond),
    burst: nullable(options.burst),
    max_payload_bytes: nullable(options.maxPayloadBytes),
    max_schedule_days: nullable(options.maxScheduleDays),
    retention_days: nullable(options.retentionDays),
    channel_kinds: options.channelKinds,
  });
}

function createCommand(act: Act): Command {
  const command = withFigures(
    new Command('create')
      .description('create a plan; limits that are left out are unlimited')
      .requiredOption('--code <code>', 'the code that tenants refer to; it cannot be changed')
      .requiredOption('--name <name>', 'the display name'),
  ).action(
    act(async (session, { code, name, ...options }: PlanOptions & { code: string; name: string }) => {
      const body = { code, name, ...bodyOf(options) };
      session.show(await session.admin().plans.create(body, session.call), record);
    }),
  );
  return examples(command, [
    'postrider plans create --code team --name Team --events-per-month 10000 ' +
      '--requests-per-second 50 --burst 100',
    'With a quota and a rate.',
  ]);
}

function updateCommand(act: Act): Command {
  const command = withFigures(
    new Command('update')
      .description('change a plan for all its tenants; options that are left out stay unchanged')
      .argument('<code>', 'the plan')
      .option('--name <name>', 'the display name'),
  ).action(
    act(async (session, code: string, options: PlanOptions) => {
      session.show(await session.admin().plans.update(code, bodyOf(options), session.call), record);
    }),
  );
  return examples(command, ['postrider plans update team --events-per-month none', 'Remove the quota.']);
}

/** `postrider plans`: limits of tenants. */
export function plansCommand(act: Act): Command {
  const listAll = listCommand(act, 'all plans', COLUMNS, (session) => session.admin().plans);
  const get = getCommand(
    act,
    { description: 'one plan', argument: '<code>', about: 'the plan' },
    (session, id) => session.admin().plans.get(id, session.call),
  );
  return new Command('plans')
    .description('limits of tenants')
    .addCommand(listAll)
    .addCommand(get)
    .addCommand(createCommand(act))
    .addCommand(updateCommand(act));
}
