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

/** Sends beyond one for each run that was not cancelled. */
export function countExtraSends({ receivers, database }: Ledgers): number {
  return receivers.length - database.runs.filter(({ status }) => status !== 'cancelled').length;
}
