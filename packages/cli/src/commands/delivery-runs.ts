import type { SessionCommand } from '../command.ts';
import { record } from '../output/table.ts';
import { given, wholeNumber } from '../values.ts';

/** `postrider delivery-runs`: single deliveries. */
export function addDeliveryRuns(program: SessionCommand): void {
  const group = program.add('delivery-runs', 'single deliveries of a message');
  group
    .add('cancel', 'cancel a run that is still scheduled, so that it is never sent')
    .argument('<run>', 'the delivery run, run_…')
    .inEnvironment()
    .examples({ 'postrider delivery-runs cancel run_01kb2t5rwhffh8rkc5f0m1ek9r': 'Before its time.' })
    .runs(async (session, id: string) => {
      const { attempts: _, ...run } = await session.environment().deliveryRuns.cancel(id, session.call);
      session.show(run, record);
    });
  group
    .add('content', 'show what an attempt sent, rendered again, and whether its SHA-256 matches')
    .argument('<run>', 'the delivery run, run_…')
    .option('--attempt <n>', 'the number of the attempt; the newest by default', wholeNumber)
    .inEnvironment()
    .examples({ 'postrider delivery-runs content run_01kb2t5rwhffh8rkc5f0m1ek9r': 'What did Ada receive?' })
    .runs(async (session, id: string, { attempt }: { attempt?: number }) => {
      const { deliveryRuns } = session.environment();
      session.show(await deliveryRuns.content(id, given({ attempt }), session.call), record);
    });
}
