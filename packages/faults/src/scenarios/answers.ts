import type { ClientLedger, Ledgers } from '../ledgers.ts';

const CREATED = 201;
const OK = 200;
/** Of a run that was taken up before it could be cancelled. */
const CONFLICT = 409;

/** Requests whose answer was not the one wished for: none, or an error that no client can help. */
export function countFailed({ requests, replays, cancels }: ClientLedger): number {
  const notCreated = [...requests, ...replays].filter(({ answer }) => answer?.status !== CREATED).length;
  const notDone = cancels.filter(({ status }) => status !== OK && status !== CONFLICT).length;
  return notCreated + notDone;
}

/** Sends of a run beyond its first, of all runs. */
export function countExtraSends({ receivers }: Pick<Ledgers, 'receivers'>): number {
  return receivers.length - new Set(receivers.map(({ runId }) => runId)).size;
}
