import { Command } from 'commander';
import { type Act, ENVIRONMENT_OPTION, examples } from '../action.ts';
import { environmentOf } from '../environment.ts';
import { record } from '../output/table.ts';
import { given, wholeNumber } from '../values.ts';

/** `postrider delivery-runs`: single deliveries. */
export function deliveryRunsCommand(act: Act): Command {
  const cancel = new Command('cancel')
    .description('cancel a run that is still scheduled, so that it is never sent')
    .argument('<run>', 'the delivery run, run_…')
    .option(...ENVIRONMENT_OPTION)
    .action(
      act(async (session, id: string, { environment }: { environment?: string }) => {
        const { deliveryRuns } = environmentOf(session, environment);
        const { attempts: _, ...run } = await deliveryRuns.cancel(id, session.call);
        session.show(run, record);
      }),
    );
  examples(cancel, { 'postrider delivery-runs cancel run_01kb2t5rwhffh8rkc5f0m1ek9r': 'Before its time.' });
  const content = new Command('content')
    .description('show what an attempt sent, rendered again, and whether its SHA-256 matches')
    .argument('<run>', 'the delivery run, run_…')
    .option('--attempt <n>', 'the number of the attempt; the newest by default', wholeNumber)
    .option(...ENVIRONMENT_OPTION)
    .action(
      act(async (session, id: string, options: { attempt?: number; environment?: string }) => {
        const { deliveryRuns } = environmentOf(session, options.environment);
        const query = given({ attempt: options.attempt });
        session.show(await deliveryRuns.content(id, query, session.call), record);
      }),
    );
  examples(content, {
    'postrider delivery-runs content run_01kb2t5rwhffh8rkc5f0m1ek9r': 'What did Ada receive?',
  });
  return new Command('delivery-runs')
    .description('single deliveries of a message')
    .addCommand(cancel)
    .addCommand(content);
}
