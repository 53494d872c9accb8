import { groupBy } from '@postrider/rig';
import type { Ledgers } from '../ledgers.ts';
import type { Violation } from './violation.ts';

const OK = 200;

/**
 * Holds the cancels that clients asked for against the database. That nothing was sent is checked with the
 * sends.
 */
export function* checkCancels({ client, database }: Ledgers): Generator<Violation> {
  const asked = groupBy(client.cancels, ({ runId }) => runId);
  const runs = new Map(database.runs.map((run) => [run.id, run]));
  for (const [runId, requests] of asked) {
    const found = runs.get(runId)?.status;
    const isConfirmed = requests.some(({ status }) => status === OK);
    if (isConfirmed && found !== 'cancelled') {
      yield { kind: 'cancel_lost', subject: runId, detail: `the run is ${found ?? 'absent'}` };
    }
    const last = requests.findLast(({ status }) => status !== null && status < 500)?.status;
    if (found === 'cancelled' && last !== undefined && last !== OK) {
      yield { kind: 'cancel_denied', subject: runId, detail: `the last answer was ${last}` };
    }
  }
  for (const { id, status } of database.runs) {
    if (status !== 'cancelled' || asked.has(id)) continue;
    yield { kind: 'phantom_cancel', subject: id, detail: 'nobody asked for it' };
  }
}
