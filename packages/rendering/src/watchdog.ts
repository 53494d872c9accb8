import { Worker } from 'node:worker_threads';

const CHECK_EVERY_MS = 500;
const HEAP = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 };

/** Runs beside the work, so that it also sees a parent that dies while a template holds the event loop. */
const SOURCE = `
const { workerData } = require('node:worker_threads');
setInterval(() => {
  if (process.ppid !== workerData.parent) process.kill(process.pid, 'SIGKILL');
}, workerData.every);
`;

/** Ends this process within half a second of its parent, whatever it is doing. */
export function dieWithParent(parent: number): void {
  const workerData = { parent, every: CHECK_EVERY_MS };
  new Worker(SOURCE, { eval: true, execArgv: [], env: {}, workerData, resourceLimits: HEAP }).unref();
}
