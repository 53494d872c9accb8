import { sameKindOf } from './entry.ts';

export const SENDERS = ['got', 'undici'] as const;
/** The HTTP client by which workers send webhooks. */
export type Sender = (typeof SENDERS)[number];

/** The environment that gives a worker this sender; got is what it has anyway. */
export function senderEnvironment(sender: Sender): NodeJS.ProcessEnv {
  if (sender === 'got') return {};
  const hook = new URL(`./sender-hook${sameKindOf(import.meta.url)}`, import.meta.url).href;
  const register = `import { register } from 'node:module'; register(${JSON.stringify(hook)});`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(register)}` };
}
