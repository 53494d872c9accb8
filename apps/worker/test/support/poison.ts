import type { Harness } from './harness.ts';

/** Markers in a payload that crash the process, and when. */
export const POISON = { atClaim: 'poison-at-claim', atBody: 'poison-at-body' } as const;

/** Kills the process as soon as it parses or creates JSON with a marker. */
const SCRIPT = `
const endIf = (text, mark) => {
  if (typeof text === 'string' && text.includes(mark)) process.kill(process.pid, 'SIGKILL');
  return text;
};
const { parse, stringify } = JSON;
JSON.parse = (text, ...rest) => parse(endIf(text, '${POISON.atClaim}'), ...rest);
JSON.stringify = (...args) => endIf(stringify(...args), '${POISON.atBody}');`;

/** Arguments of Node.js for a process that poison can crash. */
export const POISONABLE = [`--import=data:text/javascript,${encodeURIComponent(SCRIPT)}`];

/** Quarantines all waiting runs, as if each had lost its last workers. */
export const quarantineAll = ({ db }: Pick<Harness, 'db'>) =>
  db.$executeRaw`UPDATE delivery_runs SET lost_workers = 3 WHERE status IN ('scheduled', 'queued', 'retrying')`;
