import type { Harness } from './harness.ts';

/** What a payload says that ends the process, and when. */
export const POISON = { atClaim: 'poison-at-claim', atBody: 'poison-at-body' } as const;

/** Ends the process with SIGKILL as soon as it reads, or makes, JSON that has the mark. */
const SCRIPT = `
const endIf = (text, mark) => {
  if (typeof text === 'string' && text.includes(mark)) process.kill(process.pid, 'SIGKILL');
  return text;
};
const { parse, stringify } = JSON;
JSON.parse = (text, ...rest) => parse(endIf(text, '${POISON.atClaim}'), ...rest);
JSON.stringify = (...args) => endIf(stringify(...args), '${POISON.atBody}');`;

/** Arguments of Node.js for a process that poison ends. */
export const POISONABLE = [`--import=data:text/javascript,${encodeURIComponent(SCRIPT)}`];

/** Puts all waiting runs into quarantine, as if each had lost its last workers. */
export const quarantineAll = ({ db }: Pick<Harness, 'db'>) =>
  db.$executeRaw`UPDATE delivery_runs SET lost_workers = 3 WHERE status IN ('scheduled', 'queued', 'retrying')`;
