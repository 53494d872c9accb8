import type { Artefact } from './assemble.ts';
import { postrider } from './processes.ts';

/**
 * Makes a plan, a tenant, an environment, a channel and a token by the artefact of the command line, as the
 * operator that `env` tells of, and returns the token.
 */
export async function provision(cli: Artefact, env: NodeJS.ProcessEnv, webhookUrl: string): Promise<string> {
  const make = async (...args: string[]): Promise<Record<string, string>> =>
    JSON.parse(await postrider(cli, [...args, '--json'], env));

  await make('plans', 'create', '--code', 'starter', '--name', 'Starter');
  const tenant = await make('tenants', 'create', '--name', 'Acme', '--plan', 'starter');
  const environment = await make('environments', 'create', '--tenant', tenant.id ?? '', '--name', 'staging');
  const within = ['--environment', environment.id ?? '', '--name', 'first'];
  await make('channels', 'create-webhook', ...within, '--url', webhookUrl);
  const { token } = await make('tokens', 'create', ...within);
  return token ?? '';
}

/** Sends an event and returns what is shown of its deliveries. Rejects when it is not delivered. */
export async function deliverEvent(cli: Artefact, env: NodeJS.ProcessEnv, token: string): Promise<string> {
  const event = ['--event-key', 'order.shipped', '--to', 'ada@example.com', '--payload', '{}', '--wait'];
  const shown = await postrider(cli, ['events', 'send', ...event], { ...env, POSTRIDER_TOKEN: token });
  if (!/ delivered$/m.test(shown)) throw new Error(`The event was not delivered:\n${shown}`);
  return shown;
}
