import { acrossEnvironments, type Database, openDatabase } from '@postrider/db';
import { createFixture, type FixtureInput } from '@postrider/db/testing';
import { createSecretBox } from '@postrider/domain';
import { EMAIL_EVENT_KEY, EVENT_KEY } from '../load/event-body.ts';

export interface TenantOptions {
  /** Tenants, each with its own environment, token and channels. */
  readonly tenants: number;
  /** Channels of each tenant that take the event. */
  readonly webhooks: number;
  /** Whether these have filters. Only the first one matches the event. */
  readonly filtered?: boolean;
  /** Further channels of each tenant, which take another event. */
  readonly otherWebhooks: number;
  /** Whether each tenant has a channel for the email event. */
  readonly email: boolean;
  /** Whether the plan of the last tenant has a rate limit, which no load reaches. */
  readonly lastLimited?: boolean;
}

/** A tenant that a load is sent for. */
export interface LoadTenant {
  readonly tenantId: string;
  readonly environmentId: string;
  readonly token: string;
  /** The first channel that takes the event. */
  readonly channelId: string;
}

export interface Addresses {
  readonly hookUrl: string;
  readonly smtpPort: number;
}

/** A filter of three conditions. All are true for the first channel; the last is false for the others. */
const filterOf = (index: number) => ({
  event_key: { $startsWith: EVENT_KEY },
  recipient: { email: { $in: '@' } },
  payload: { reference: index === 0 ? { $gte: 0 } : { $lt: 0 } },
});

type Channels = NonNullable<FixtureInput['channels']>;

function channelsOf(options: TenantOptions, { hookUrl, smtpPort }: Addresses): Channels {
  const webhook = (name: string, eventKey: string) => ({
    kind: 'webhook' as const,
    name,
    eventKeys: [eventKey],
    config: { url: hookUrl },
  });
  const smtp = { host: '127.0.0.1', port: smtpPort, secure: false };
  const mail = {
    kind: 'email' as const,
    name: 'mail',
    eventKeys: [EMAIL_EVENT_KEY],
    config: { smtp, from: { email: 'shop@example.com' } },
  };
  return [
    ...Array.from({ length: options.webhooks }, (_, index) => ({
      ...webhook(`hook ${index}`, EVENT_KEY),
      filter: options.filtered === true ? filterOf(index) : null,
    })),
    ...Array.from({ length: options.otherWebhooks }, (_, index) => webhook(`other ${index}`, 'order.other')),
    ...(options.email ? [mail] : []),
  ];
}

/** Contains the event's number in the form that the receiver looks for. */
const TEMPLATE = {
  eventKey: EMAIL_EVENT_KEY,
  channelKind: 'email',
  subject: 'Your order {{ payload.reference }}',
  html: '<p>Thank you, {{ recipient.name }}. Your order {{ payload.reference }} is paid.</p>',
  text: 'Thank you, {{ recipient.name }}. "reference":{{ payload.reference }}',
  activate: true,
} as const;

/** More than a process accepts: a load is counted and never refused. */
const RATE_LIMIT = { requestsPerSecond: 100_000, burst: 100_000 } as const;

async function createOne(
  db: Database,
  key: Buffer,
  options: TenantOptions,
  channels: Channels,
  limited: boolean,
): Promise<LoadTenant> {
  const fixture = await createFixture(
    acrossEnvironments(db),
    { channels, templates: options.email ? [TEMPLATE] : [], plan: limited ? RATE_LIMIT : {} },
    createSecretBox([{ id: 'bench', key }]),
  );
  const { tenantId, environmentId, token } = fixture;
  return { tenantId, environmentId, token, channelId: fixture.channels[0]?.id ?? '' };
}

/** Creates tenants, without limits unless the options say so, whose secrets are encrypted with `key`. */
export async function createTenants(
  databaseUrl: string,
  key: Buffer,
  options: TenantOptions,
  addresses: Addresses,
): Promise<LoadTenant[]> {
  const db = openDatabase(databaseUrl, { poolSize: 1 });
  try {
    const channels = channelsOf(options, addresses);
    const tenants: LoadTenant[] = [];
    for (let made = 0; made < options.tenants; made += 1) {
      const limited = options.lastLimited === true && made === options.tenants - 1;
      tenants.push(await createOne(db, key, options, channels, limited));
    }
    return tenants;
  } finally {
    await db.$disconnect();
  }
}
