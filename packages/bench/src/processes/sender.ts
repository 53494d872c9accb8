export const SENDERS = ['got', 'undici'] as const;
/** The HTTP client by which workers send webhooks. */
export type Sender = (typeof SENDERS)[number];

/**
 * A loader that gives a worker the undici sender where it asks for the one by got, so that production needs
 * no switch for it. As text, because it is loaded before anything that could read TypeScript.
 */
const UNDICI_INSTEAD = `
export async function load(url, context, nextLoad) {
  const [, extension] = /\\/apps\\/worker\\/(?:dist|src)\\/channels\\/http\\/got-sender\\.(js|ts)$/.exec(url) ?? [];
  if (!extension) return nextLoad(url, context);
  const source = "export { createUndiciSender as createGotSender } from './undici-sender." + extension + "';";
  return { format: 'module', source, shortCircuit: true };
}`;

const asModule = (script: string) => `data:text/javascript,${encodeURIComponent(script)}`;

/** The environment that gives a worker this sender; got is what it has anyway. */
export function senderEnvironment(sender: Sender): NodeJS.ProcessEnv {
  if (sender === 'got') return {};
  const register = `import { register } from 'node:module'; register(${JSON.stringify(asModule(UNDICI_INSTEAD))});`;
  return { NODE_OPTIONS: `--import=${asModule(register)}` };
}
