import type { LoadHook } from 'node:module';

/** The module of the worker in which its HTTP client is chosen, and what stands in its place. */
const CHOSEN = /\/apps\/worker\/(?:dist|src)\/channels\/http\/got-sender\.(js|ts)$/;

/** Gives a worker the undici sender where it asks for the one by got, so that it needs no switch for it. */
export const load: LoadHook = async (url, context, nextLoad) => {
  const extension = CHOSEN.exec(url)?.[1];
  if (!extension) return nextLoad(url, context);
  const source = `export { createUndiciSender as createGotSender } from './undici-sender.${extension}';`;
  return { format: 'module', source, shortCircuit: true };
};
