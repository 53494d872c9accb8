import {
  ADVISORY_LOCKS,
  type ConfigureDeps,
  createChannel,
  createEnvironment,
  createTemplateVersion,
  createTenant,
  putEventType,
  putPlan,
  SEED_ACTOR,
  storeToken,
  type UnboundDatabase,
  type WithKinds,
} from '@postrider/db';
import {
  checkTemplate,
  ENVIRONMENT_SCOPES,
  type IdSource,
  KIND_FACTS,
  type SecretBox,
  UNLIMITED,
} from '@postrider/domain';

interface DemoSettings {
  /** The environment's token. The caller stores it, so that every start shows the same token. */
  readonly token: string;
  readonly webhook: { readonly url: string; readonly secret: string };
  readonly smtp: { readonly host: string; readonly port: number };
}

const DEMO_TENANT = 'Demo';
export const DEMO_ENVIRONMENT = 'development';
const DEMO_EVENT_KEY = 'order.shipped';

/** Only the order is needed, so that the examples of the guides, which send nothing else, are delivered. */
const DEMO_EMAIL = {
  subject: 'Your order {{ payload.order_id }} is on its way',
  html: [
    '<h1>Hello {{ recipient.name | default: "there" }},</h1>',
    '<p>your order <strong>{{ payload.order_id }}</strong> has been shipped with {{ payload.carrier | default: "our carrier" }}.</p>',
    '{% if payload.tracking_number %}<p>Tracking number: <code>{{ payload.tracking_number }}</code></p>{% endif %}',
  ].join('\n'),
  text: [
    'Hello {{ recipient.name | default: "there" }},',
    '',
    'your order {{ payload.order_id }} has been shipped with {{ payload.carrier | default: "our carrier" }}.',
    '{% if payload.tracking_number %}Tracking number: {{ payload.tracking_number }}{% endif %}',
  ].join('\n'),
};

/** What the template shows, with examples for `postrider trigger`. It refuses no other payload. */
const DEMO_SCHEMA = {
  type: 'object',
  properties: {
    order_id: { type: 'string', examples: ['A-1001'] },
    carrier: { type: 'string', examples: ['Swift Post'] },
    tracking_number: { type: 'string', examples: ['SP123456'] },
  },
};

/** How long a seed waits for a connection, and how long it may take, in milliseconds. */
const LOCK_LIMITS = { maxWait: 11_000, timeout: 15_000 };

type Deps = WithKinds & { db: UnboundDatabase; newId: IdSource; secretBox: SecretBox };

async function ensureTenant(deps: ConfigureDeps): Promise<string> {
  const existing = await deps.db.tenant.findFirst({ where: { name: DEMO_TENANT }, orderBy: { id: 'asc' } });
  if (existing) return existing.id;
  const created = await createTenant(deps, {
    name: DEMO_TENANT,
    planCode: 'unlimited',
    billingStatus: 'active',
    graceEndsAt: null,
  });
  return created.id;
}

async function ensureEnvironment(deps: ConfigureDeps, tenantId: string): Promise<string> {
  const key = { tenantId_name: { tenantId, name: DEMO_ENVIRONMENT } };
  const existing = await deps.db.environment.findUnique({ where: key });
  return (existing ?? (await createEnvironment(deps, { tenantId, name: DEMO_ENVIRONMENT }))).id;
}

/** Updates a channel to the current address and secret of the local stack, because ports can change between starts. */
async function ensureChannels(deps: Deps, environmentId: string, settings: DemoSettings): Promise<void> {
  const { db, secretBox } = deps;
  const { webhook, smtp } = settings;
  const wanted = [
    {
      environmentId,
      kind: 'webhook',
      name: 'Demo receiver',
      config: { url: webhook.url },
      secret: webhook.secret,
    },
    {
      environmentId,
      kind: 'email',
      name: 'Local mail',
      config: { smtp: { ...smtp, secure: false }, from: { email: 'shop@example.com', name: 'Demo Shop' } },
    },
  ] as const;
  for (const channel of wanted) {
    const { kind, name, config } = channel;
    const existing = await db.channel.findFirst({ where: { environmentId, kind, name, deletedAt: null } });
    if (!existing) {
      await createChannel({ ...deps, actor: SEED_ACTOR }, channel);
      continue;
    }
    const sealedSecret = kind === 'webhook' ? secretBox.encrypt(channel.secret, existing.id) : null;
    await db.channel.update({
      where: { id: existing.id },
      data: { config, sealedSecret, revision: { increment: 1 } },
    });
  }
}

async function ensureTemplate({ db, newId }: Deps, environmentId: string): Promise<void> {
  const scope = { environmentId, eventKey: DEMO_EVENT_KEY };
  if (await db.templateVersion.findFirst({ where: { ...scope, channelKind: 'email', active: true } })) return;
  const checked = checkTemplate({ format: 'email', ...DEMO_EMAIL, mjml: null, envelope: null });
  if (checked.outcome === 'invalid') throw new Error('the demo template is invalid');
  const { template } = checked;
  await createTemplateVersion(
    { db, newId, actor: SEED_ACTOR },
    { ...scope, channelKind: 'email', template, activate: true },
  );
}

async function ensureEventType(deps: Deps, environmentId: string): Promise<void> {
  const key = { environmentId, eventKey: DEMO_EVENT_KEY };
  if (await deps.db.eventType.findFirst({ where: key })) return;
  const about = {
    description: 'An order has left the warehouse.',
    payloadSchema: DEMO_SCHEMA,
    searchKeys: ['/order_id'],
  };
  await putEventType({ ...deps, actor: SEED_ACTOR }, { ...key, ...about });
}

/**
 * Fills a database with the demo data of the local stack: a free and an unlimited plan, one tenant with a
 * `development` environment, a token, a webhook and an email channel, the event type and the template for `order.shipped`.
 * Idempotent: a second call adds nothing and updates the channels to the given addresses. Concurrent seeds are
 * serialised. Resolves with the id of the environment.
 */
export function seedDemo(deps: Deps, settings: DemoSettings): Promise<string> {
  return deps.db.$transaction(async (tx) => {
    // This transaction only holds the lock while others do the work.
    await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 0`;
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.seed}::bigint)`;
    return ensureEverything(deps, settings);
  }, LOCK_LIMITS);
}

async function ensureEverything(deps: Deps, settings: DemoSettings): Promise<string> {
  const { db, newId } = deps;
  const configure = { db, newId, actor: SEED_ACTOR };
  await putPlan(configure, {
    code: 'free',
    name: 'Free',
    eventsPerMonth: 10_000,
    requestsPerSecond: 10,
    burst: 20,
    maxPayloadBytes: 65_536,
    maxScheduleDays: 30,
    retentionDays: 30,
    channelKinds: Object.keys(KIND_FACTS),
  });
  await putPlan(configure, {
    code: 'unlimited',
    name: 'Unlimited',
    ...UNLIMITED,
    channelKinds: Object.keys(KIND_FACTS),
  });
  const environmentId = await ensureEnvironment(configure, await ensureTenant(configure));
  await storeToken(
    { db, newId },
    { environmentId, name: 'demo', token: settings.token, scopes: ENVIRONMENT_SCOPES },
  );
  await ensureChannels(deps, environmentId, settings);
  await ensureTemplate(deps, environmentId);
  await ensureEventType(deps, environmentId);
  return environmentId;
}
