import { randomBytes } from 'node:crypto';
import { createPostriderAdmin, type PostriderAdmin } from '@postrider/client';
import { acrossEnvironments, migrate, openDatabase, type UnboundDatabase } from '@postrider/db';
import { type Cleanup, startPostgres } from '@postrider/local-stack';
import { startTestService, type TestService } from '@postrider/local-stack/testing';
import {
  type MailServer,
  type Receiver,
  startMailServer,
  startReceiver,
  startTcpProxy,
  status,
  type TcpProxy,
} from '@postrider/rig';
import { fill } from '../../../faults/src/size/fill.ts';

/** An installation with many messages, and servers that take what it sends. */
export interface Installation {
  readonly service: TestService;
  /** Where the browser finds the API, without a slash at its end. */
  readonly url: string;
  /** Before the API, so that it can be away. */
  readonly proxy: TcpProxy;
  readonly admin: PostriderAdmin;
  readonly db: UnboundDatabase;
  /** Takes the emails of the channel that `connect` creates. */
  readonly mail: MailServer;
  readonly hooks: Receiver;
  /** The tenant and the environment with most of the messages. */
  readonly tenantId: string;
  readonly environmentId: string;
  /** The same without the prefix. */
  readonly environmentUuid: string;
}

const TENANT = 'Nordwind Outfitters';

/** Starts an installation of its own and fills it with `messages` messages by SQL. */
export async function openInstallation(messages: number, cleanup: Cleanup): Promise<Installation> {
  const { keep } = cleanup;
  const postgres = keep(
    await startPostgres({ durable: false, settings: { max_wal_size: '2GB' } }),
    (server) => server.stop(),
  );
  await migrate(postgres.url);
  const db = acrossEnvironments(
    keep(openDatabase(postgres.url, { poolSize: 2 }), (client) => client.$disconnect()),
  );
  const mail = keep(await startMailServer(), (server) => server.close());
  const bulkMail = keep(await startMailServer(), (server) => server.close());
  const hooks = keep(await startReceiver(), (server) => server.close());
  const key = { id: 'tour', key: randomBytes(32) };
  const { environments } = await fill(postgres.url, db, {
    messages,
    key,
    receivers: { url: hooks.endpoint('/bulk', status(200)), smtpPort: bulkMail.port },
  });
  const { environmentId: environmentUuid = '', tenantId: tenantUuid = '' } = environments[0] ?? {};
  await db.$executeRaw`UPDATE tenants SET name = ${TENANT} WHERE id = ${tenantUuid}::uuid`;
  await db.$executeRaw`UPDATE environments SET name = 'production' WHERE id = ${environmentUuid}::uuid`;
  const ENCRYPTION_KEYS = `${key.id}:${key.key.toString('base64')}`;
  const service = await startTestService({
    databaseUrl: postgres.url,
    worker: true,
    env: { ENCRYPTION_KEYS },
  });
  cleanup.add(service.stop);
  const proxy = keep(await startTcpProxy(service.url), (each) => each.close());
  const admin = createPostriderAdmin({
    baseUrl: service.url,
    adminToken: service.adminToken,
    actor: 'ada',
    // A busy machine among many messages takes longer than usual.
    timeoutMs: 180_000,
  });
  const { resources } = await admin.lookup.find({ q: TENANT });
  const tenantId = resources.find(({ type }) => type === 'tenant')?.id ?? '';
  const [environment] = (await admin.environments.of(tenantId).page({ limit: 1 })).data;
  if (!environment) throw new Error('The filled environment was not found.');
  const url = proxy.url.replace(/\/$/, '');
  const environmentId = environment.id;
  return { url, service, proxy, admin, db, mail, hooks, tenantId, environmentId, environmentUuid };
}

/** What one visit of the tour uses in an environment. */
export interface Connected {
  readonly token: string;
  readonly mailChannelId: string;
  readonly webhookChannelId: string;
  readonly templateId: string;
  readonly eventKey: string;
  readonly webhookName: string;
}

const HTML = '<p>Hello {{ recipient.name }}, order {{ payload.order_id }} is on its way.</p>';
/** The path at which the channel of `connect` is called. */
export const hookPath = (eventKey: string) => `/warehouse/${eventKey}`;

/** Gives an environment an event key of its own with an email and a webhook channel, a template, and a token. */
export async function connect(
  { admin, mail, hooks }: Installation,
  environmentId: string,
  eventKey: string,
): Promise<Connected> {
  const retry = { max_attempts: 1, delays_seconds: [] };
  const webhookName = `Warehouse of ${eventKey}`;
  const webhook = await admin.channels.create(environmentId, {
    ...{ kind: 'webhook', name: webhookName, event_keys: [eventKey], retry },
    failure_policy: { min_attempts: 1, warn_after: 60 },
    config: { url: hooks.endpoint(hookPath(eventKey), status(200, {}, 'thanks')) },
  });
  const email = await admin.channels.create(environmentId, {
    ...{ kind: 'email', name: `Mail of ${eventKey}`, event_keys: [eventKey], retry },
    config: {
      smtp: { host: '127.0.0.1', port: mail.port, secure: false },
      from: { email: 'orders@nordwind.example', name: 'Nordwind' },
    },
  });
  await admin.eventTypes.put(environmentId, eventKey, {
    description: 'An order has left the warehouse.',
    payload_schema: null,
    search_keys: ['/order_id', '/customer'],
  });
  const { id: templateId } = await admin.templates.create(environmentId, {
    ...{ event_key: eventKey, channel_kind: 'email', activate: true },
    ...{ subject: 'Order {{ payload.order_id }}', html: HTML },
  });
  const { token } = await admin.tokens.issue(environmentId, { name: `backend of ${eventKey}` });
  return {
    ...{ token, templateId, eventKey, webhookName },
    ...{ mailChannelId: email.id, webhookChannelId: webhook.id },
  };
}
