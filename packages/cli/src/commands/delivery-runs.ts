import { Command } from 'commander';
import type { Act } from '../action.ts';
import { examples } from '../help.ts';
import { record } from '../output/table.ts';

/** `postrider delivery-runs`: single deliveries. */
export function deliveryRunsCommand(act: Act): Command {
  const cancel = new Command('cancel')
    .description('cancel a run that is still scheduled; it is then never sent')
    .argument('<run>', 'the delivery run, run_…')
    .option('--environment <id>', 'of this environment, env_…, by ADMIN_TOKEN; of the token’s when left out')
    .action(
      act(async (session, id: string, { environment }: { environment?: string }) => {
        const { deliveryRuns } =
          environment === undefined
            ? session.postrider()
            : { deliveryRuns: session.admin().deliveryRuns.of(environment) };
        const { attempts: _, ...run } = await deliveryRuns.cancel(id, session.call);
        session.show(run, record);
      }),
    );
  examples(cancel, ['postrider delivery-runs cancel run_01kb2t5rwhffh8rkc5f0m1ek9r', 'Before its time.']);
  return new Command('delivery-runs').description('single deliveries of a message').addCommand(cancel);
}
