import { join, relative } from 'node:path';
import { channelKinds } from '@postrider/channels';
import { acrossEnvironments, migrate, openDatabase } from '@postrider/db';
import { createSecretBox, createUuidV7Source, parseEncryptionKeys } from '@postrider/domain';
import { choosePort } from '../../choose-port.mjs';
import { lock } from '../../process-lock.mjs';
import { startMailCatcher } from '../mail-catcher.ts';
import { startWebhookReceiver } from '../webhook-receiver/receiver.ts';
import { startApps } from './apps.ts';
import { type Say, startDataServices } from './data-services.ts';
import { createLifetime, type Lifetime } from './lifetime.ts';
import { renderScreen, type ScreenContent } from './screen.ts';
import { seedDemo } from './seed.ts';
import { keepSecrets, publishStack, type Secrets, type StackVariables, takeSlot } from './slot.ts';

/**
 * The demo's receivers are on this machine. Other modes do not allow deliveries to it
 * (docs/specification.md, "Outgoing addresses").
 */
const LOOPBACK = '127.0.0.0/8,::1/128';

type Settings = Secrets & { readonly databaseUrl: string; readonly redisUrl: string };

async function seed(settings: Settings, hookUrl: string, smtpPort: number): Promise<string> {
  const parsed = parseEncryptionKeys(settings.encryptionKeys);
  if (!('keys' in parsed)) throw new Error('ENCRYPTION_KEYS cannot be read.');
  const db = openDatabase(settings.databaseUrl);
  try {
    return await seedDemo(
      {
        db: acrossEnvironments(db),
        newId: createUuidV7Source(),
        secretBox: createSecretBox(parsed.keys),
        kinds: channelKinds,
      },
      {
        token: settings.token,
        webhook: { url: hookUrl, secret: settings.webhookSecret },
        smtp: { host: '127.0.0.1', port: smtpPort },
      },
    );
  } finally {
    await db.$disconnect();
  }
}

function appEnvironment(settings: Settings, apiPort: number, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    LOG_LEVEL: 'warn',
    EGRESS_ALLOW_CIDRS: LOOPBACK,
    PUBLIC_URL: `http://localhost:${apiPort}`,
    ...env,
    DATABASE_URL: settings.databaseUrl,
    REDIS_URL: settings.redisUrl,
    ADMIN_TOKEN: settings.adminToken,
    ENCRYPTION_KEYS: settings.encryptionKeys,
  };
}

/** A link that opens the console signed in; null if the API does not serve the console. */
async function consoleLink(address: string, adminToken: string): Promise<string | null> {
  const page = await fetch(`${address}/console/`);
  await page.body?.cancel();
  if (!page.ok) return null;
  const headers = { Authorization: `Bearer ${adminToken}`, 'X-Actor': 'local' };
  const response = await fetch(`${address}/admin/v1/console-links`, { method: 'POST', headers });
  if (!response.ok) throw new Error(`The API gave no link to the console: ${response.status}.`);
  const { url_fragment: fragment } = (await response.json()) as { url_fragment: string };
  return `${address}/console/${fragment}`;
}

/** Chooses the ports and starts everything that listens on them. */
async function startListeners({
  root,
  slotDirectory,
  settings,
  env,
  lifetime,
}: {
  root: string;
  slotDirectory: string;
  settings: Settings;
  env: NodeJS.ProcessEnv;
  lifetime: Lifetime;
}): Promise<Omit<ScreenContent, 'slot'> & { readonly environmentId: string }> {
  const apiPort = await choosePort('PORT', env.PORT, 3000);
  const workerPort = await choosePort('WORKER_PORT', env.WORKER_PORT, 3001);
  const metricsOff = env.METRICS_PORT === 'off';
  const metricsPorts = metricsOff
    ? null
    : {
        api: await choosePort('METRICS_PORT', env.METRICS_PORT, 9464),
        worker: await choosePort("the worker's metrics", undefined, 9465),
      };
  const smtpPort = await choosePort('the mail catcher', undefined, 1025);
  const pagePort = await choosePort('the mail page', undefined, 1080);
  const receiverPort = await choosePort('the webhook receiver', undefined, 4000);

  const receiver = await startWebhookReceiver({ secret: settings.webhookSecret, port: receiverPort });
  lifetime.onEnd(receiver.close);
  const mail = await startMailCatcher({ directory: join(slotDirectory, 'mail'), smtpPort, pagePort });
  lifetime.takeCharge(mail.program);
  const environmentId = await seed(settings, receiver.hookUrl, smtpPort);
  await startApps({
    root,
    apiPort,
    workerPort,
    metricsPorts,
    env: appEnvironment(settings, apiPort, env),
    lifetime,
  });
  const consoleUrl = await consoleLink(`http://localhost:${apiPort}`, settings.adminToken);
  const [mailUrl, webhooksUrl] = [mail.pageUrl, receiver.pageUrl];
  return { apiPort, token: settings.token, consoleUrl, mailUrl, webhooksUrl, environmentId };
}

type OnReady = (variables: StackVariables) => void;

async function bringUp(
  root: string,
  env: NodeJS.ProcessEnv,
  { lifetime, say, onReady }: { lifetime: Lifetime; say: Say; onReady: OnReady },
): Promise<void> {
  const slot = await takeSlot(env.POSTRIDER_LOCAL_DIR || join(root, '.local'));
  lifetime.onEnd(slot.release);
  const kept = await keepSecrets(slot.directory);
  const stores = await startDataServices({ slotDirectory: slot.directory, env, lifetime, say });
  await migrate(stores.databaseUrl, { finish: true });
  const settings: Settings = {
    ...kept,
    ...stores,
    adminToken: env.ADMIN_TOKEN || kept.adminToken,
    encryptionKeys: env.ENCRYPTION_KEYS || kept.encryptionKeys,
  };
  // Until a chosen port is in use, no other starting copy may choose it.
  const starting = await lock('/', 'choose-ports');
  const content = await startListeners({ root, slotDirectory: slot.directory, settings, env, lifetime });
  await starting.release();
  const stack = { ...settings, apiPort: content.apiPort, environmentId: content.environmentId };
  const variables = await publishStack(slot.directory, stack, lifetime);
  const fromRoot = relative(root, slot.directory);
  say(renderScreen({ ...content, slot: fromRoot.startsWith('..') ? slot.directory : fromRoot }));
  onReady(variables);
}

/**
 * npm start: starts the stores, the mail catcher, the webhook receiver, the API and the worker, prints their addresses,
 * and runs until it is interrupted or one of them ends. Data and secrets are in `.local/`, or in POSTRIDER_LOCAL_DIR.
 * `onReady` gets how to reach it. Resolves with the exit code when everything has ended.
 */
export async function start(
  root: string,
  onLifetime: (lifetime: Lifetime) => void,
  onReady: OnReady = () => undefined,
): Promise<number> {
  const lifetime = createLifetime();
  onLifetime(lifetime);
  const say: Say = (line) => process.stdout.write(`${line}\n`);
  const failed = bringUp(root, process.env, { lifetime, say, onReady }).then(
    () => lifetime.ended,
    (error: Error) => ({ outcome: 'failed' as const, message: error.message || String(error.stack) }),
  );
  const end = await Promise.race([failed, lifetime.ended]);
  if (end.outcome === 'failed') process.stderr.write(`${end.message}\n`);
  say('Stopping …');
  await lifetime.close();
  return end.outcome === 'failed' ? 1 : 0;
}
