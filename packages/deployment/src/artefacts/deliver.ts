import type { Artefact } from './assemble.ts';
import { postrider } from './processes.ts';

/**
 * From an empty installation to a delivered event, by the artefact of the command line alone. Resolves with
 * what it printed about the deliveries; rejects when the event is not delivered.
 */
export async function deliverEvent(
  cli: Artefact,
  env: NodeJS.ProcessEnv,
  webhookUrl: string,
): Promise<string> {
  const make = async (...args: string[]): Promise<Record<string, string>> =>
    JSON.parse(await postrider(cli, [...args, '--json'], env));

  await make('plans', 'create', '--code', 'starter', '--name', 'Starter', '--events-per-month', '10');
  const tenant = await make('tenants', 'create', '--name', 'Acme', '--plan', 'starter');
  const environment = await make('environments', 'create', '--tenant', tenant.id ?? '', '--name', 'staging');
  const within = ['--environment', environment.id ?? '', '--name', 'first'];
  await make('channels', 'create-webhook', ...within, '--url', webhookUrl);
  const { token } = await make('tokens', 'create', ...within);
  const event = ['--event-key', 'order.shipped', '--to', 'ada@example.com', '--payload', '{}', '--wait'];
  const shown = await postrider(cli, ['events', 'send', ...event], { ...env, POSTRIDER_TOKEN: token });
  if (!/ delivered$/m.test(shown)) throw new Error(`The event was not delivered:\n${shown}`);
  return shown;
}
