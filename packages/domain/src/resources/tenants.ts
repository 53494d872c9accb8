import { tokenScopes } from '../access.ts';
import type { ChannelKind } from '../channels/channel-kinds.ts';
import type { OutcomeEventType } from '../event-key.ts';
import { presentFields } from '../present.ts';
import type { JsonObject } from '../storable-json.ts';
import { DEFAULT_LOCALE } from '../templates/resources.ts';
import { DEFAULT_PORTAL_SETTINGS, type PortalSettings } from './portal.ts';

/** A tenant's billing status. `suspended` tenants cannot send; `past_due` ones can until their grace period ends. */
export const BILLING_STATUSES = ['active', 'past_due', 'suspended'] as const;
export type BillingStatus = (typeof BILLING_STATUSES)[number];

/**
 * Whether a tenant cannot send at `now`: it is suspended, or past due and its grace period has ended
 * (docs/specification.md, "Quota and payment", `payment_required`).
 */
export function isBarredFromDeliveries(
  tenant: { readonly billingStatus: BillingStatus; readonly graceEndsAt: Date | null },
  now: Date,
): boolean {
  if (tenant.billingStatus === 'active') return false;
  if (tenant.billingStatus === 'suspended') return true;
  return tenant.graceEndsAt === null || tenant.graceEndsAt <= now;
}

/** The limits of a tenant; null means unlimited. */
export interface Plan {
  readonly code: string;
  readonly name: string;
  readonly eventsPerMonth: number | null;
  /** Both are set, or neither. */
  readonly requestsPerSecond: number | null;
  readonly burst: number | null;
  readonly maxPayloadBytes: number | null;
  readonly maxScheduleDays: number | null;
  readonly retentionDays: number | null;
  readonly channelKinds: readonly ChannelKind[];
}

/** No limits at all. */
export const UNLIMITED = {
  eventsPerMonth: null,
  requestsPerSecond: null,
  burst: null,
  maxPayloadBytes: null,
  maxScheduleDays: null,
  retentionDays: null,
} as const satisfies Partial<Plan>;

export interface PlanRecord extends Plan {
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The fields of a plan that a client sets, in the API's form (docs/specification.md, "Plans"). */
export function presentPlanFields(plan: Plan): JsonObject {
  return presentFields(plan, [
    ...(['code', 'name', 'eventsPerMonth', 'requestsPerSecond', 'burst'] as const),
    ...(['maxPayloadBytes', 'maxScheduleDays', 'retentionDays', 'channelKinds'] as const),
  ]);
}

/** A plan as the API shows it (docs/specification.md, "Plans"). */
export function presentPlan(plan: PlanRecord): JsonObject {
  return { ...presentPlanFields(plan), ...presentFields(plan, ['createdAt', 'updatedAt']) };
}

export interface TenantInput {
  readonly name: string;
  /** Code of an existing plan. */
  readonly planCode: string;
  readonly billingStatus: BillingStatus;
  /** Until when a past-due tenant may still send. */
  readonly graceEndsAt: Date | null;
}

/** `id` is a UUID. */
export interface TenantRecord extends TenantInput {
  readonly id: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The fields of a tenant that a client sets, in the API's form. */
export function presentTenantFields(tenant: TenantInput): JsonObject {
  return presentFields(tenant, ['name', 'planCode', 'billingStatus', 'graceEndsAt']);
}

/** A tenant as the API shows it. */
export function presentTenant(tenant: TenantRecord): JsonObject {
  return {
    ...presentFields(tenant, ['id'], 'ten'),
    ...presentTenantFields(tenant),
    ...presentFields(tenant, ['createdAt', 'updatedAt']),
  };
}

/** The values of an environment's settings, the default first (docs/specification.md, "Environments"). */
export const UNMATCHED_EVENTS = ['refuse', 'store'] as const;
export const MISSING_EMAIL_TEMPLATE = ['refuse', 'skip'] as const;
export const IDEMPOTENCY_KEYS = ['uuid', 'any'] as const;
export const UNKNOWN_CONSUMERS = ['refuse', 'create'] as const;

/** How an environment handles its events. */
export interface EnvironmentSettings {
  /** What happens to an event without matching channels. */
  readonly unmatchedEvents: (typeof UNMATCHED_EVENTS)[number];
  /** Whether a missing email template refuses the event, or only skips the email channel. */
  readonly missingEmailTemplate: (typeof MISSING_EMAIL_TEMPLATE)[number];
  /** Whether an Idempotency-Key must be a UUID. */
  readonly idempotencyKeys: (typeof IDEMPOTENCY_KEYS)[number];
  /** What happens to an event of a consumer that does not exist. */
  readonly unknownConsumers: (typeof UNKNOWN_CONSUMERS)[number];
  /** Whether its channels may only have https URLs. */
  readonly httpsOnly: boolean;
  /** The language of recipients without a known language (BCP 47). */
  readonly defaultLocale: string;
  /** Soft bounces in a row that suppress an address for a while; 0 for none. */
  readonly softBounceLimit: number;
  /** The days within which they must have come. */
  readonly softBounceDays: number;
  /** The days for which the address is then suppressed. */
  readonly softBouncePauseDays: number;
  /** The share of complaints in a day's email from which a stream is paused; null for never. */
  readonly pauseStreamsAtComplaintRate: number | null;
  /** The names of streams for recipients, by stream and language (BCP 47). */
  readonly streamNames: StreamNames;
  /** The outcomes of deliveries that operational channels get. */
  readonly outcomeEvents: OutcomeEventType[];
  /** The portal of its consumers. */
  readonly portal: PortalSettings;
}

export type StreamNames = { readonly [stream: string]: { readonly [locale: string]: string } };

/**
 * The name of a stream for a recipient: in the first of these languages that has one, in a language of the same primary
 * subtag if need be; else the stream itself.
 */
export function streamNameIn(names: StreamNames, stream: string, languages: readonly string[]): string {
  const own = Object.entries(names[stream] ?? {}).map(
    ([locale, name]) => [locale.toLowerCase(), name] as const,
  );
  const primaryOf = (language: string) => language.split('-', 1)[0];
  for (const language of languages.map((each) => each.toLowerCase())) {
    const found =
      own.find(([locale]) => locale === language) ??
      own.find(([locale]) => locale === primaryOf(language)) ??
      own.find(([locale]) => primaryOf(locale) === primaryOf(language));
    if (found) return found[1];
  }
  return stream;
}

export const DEFAULT_ENVIRONMENT_SETTINGS: EnvironmentSettings = {
  unmatchedEvents: 'refuse',
  missingEmailTemplate: 'refuse',
  idempotencyKeys: 'uuid',
  unknownConsumers: 'refuse',
  httpsOnly: false,
  defaultLocale: DEFAULT_LOCALE,
  softBounceLimit: 5,
  softBounceDays: 7,
  softBouncePauseDays: 7,
  pauseStreamsAtComplaintRate: null,
  streamNames: {},
  outcomeEvents: [],
  portal: DEFAULT_PORTAL_SETTINGS,
};

const SETTINGS = Object.keys(DEFAULT_ENVIRONMENT_SETTINGS) as (keyof EnvironmentSettings)[];

/** The settings in the API's form. */
export function presentEnvironmentSettings(settings: EnvironmentSettings): JsonObject {
  return presentFields(settings, SETTINGS);
}

/** An isolated part of a tenant, such as development or production. Ids are UUIDs. */
export interface EnvironmentRecord extends EnvironmentSettings {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly createdAt: Date;
}

/** An environment as the API shows it (docs/specification.md, "Environments"). */
export function presentEnvironment(environment: EnvironmentRecord): JsonObject {
  return presentFields(environment, ['id', 'tenantId', 'name', ...SETTINGS, 'createdAt'], 'env');
}

/** What every token has, without its secret. Ids are UUIDs. */
export interface AnyToken {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly lastFour: string;
  /** A newer release may have stored others than this one knows. */
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** A token of an environment. Its scopes are the stored ones, see {@link tokenScopes}. */
export interface TokenRecord extends AnyToken {
  readonly environmentId: string;
  /** UUID of the successor that a rotation created. */
  readonly replacedById: string | null;
  /** The consumer that it is bound to; null for a token of the whole environment. */
  readonly consumerId: string | null;
}

/** A token as the API shows it (docs/specification.md, "Tokens"). */
export function presentToken(token: TokenRecord): JsonObject {
  const scopes = [...tokenScopes(token.scopes)];
  return presentFields(
    { ...token, scopes },
    [
      ...(['id', 'environmentId', 'name', 'prefix', 'lastFour', 'consumerId', 'scopes'] as const),
      ...(['createdAt', 'expiresAt', 'lastUsedAt', 'revokedAt', 'replacedById'] as const),
    ],
    'tok',
  );
}

export const CONSOLE_ROLES = ['operator', 'integrator'] as const;
/** What a session may do: an operator manages everything, an integrator has the powers of one token. */
export type ConsoleRole = (typeof CONSOLE_ROLES)[number];

/** A session of the console, without its secret. Ids are UUIDs. */
export interface ConsoleSessionRecord {
  readonly id: string;
  readonly role: ConsoleRole;
  /** The name that an operator entered; the token's public id for an integrator. */
  readonly actor: string;
  /** Null for an operator. */
  readonly environmentId: string | null;
  /** Null for an integrator, and for a session of the admin token. */
  readonly operatorId: string | null;
  /** The session that issued its link; null if the admin token did, or if there was no link. */
  readonly issuerId: string | null;
  /** Where it was opened; null for a link, and for sessions of older releases. */
  readonly address: string | null;
  /** The program that opened it, as it describes itself. */
  readonly userAgent: string | null;
  readonly createdAt: Date;
  /** To the minute. */
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
}

/** A session as the API and the audit log show it. */
export function presentConsoleSession(session: ConsoleSessionRecord): JsonObject {
  return presentFields(
    session,
    [
      ...(['id', 'role', 'environmentId', 'operatorId', 'actor', 'address', 'userAgent'] as const),
      ...(['issuerId', 'createdAt', 'lastUsedAt', 'expiresAt'] as const),
    ],
    'ses',
  );
}

/** A session in a list: with the provider that confirmed it, which is not known yet when the audit log shows it. */
export function presentListedSession({
  provider,
  ...session
}: ConsoleSessionRecord & { readonly provider: string | null }): JsonObject {
  return { ...presentConsoleSession(session), provider };
}

/** A link that nobody has used yet, as the API shows it. Its id is that of the session that it will open. */
export function presentConsoleLink(link: ConsoleSessionRecord): JsonObject {
  return presentFields(link, ['id', 'actor', 'issuerId', 'createdAt', 'expiresAt'], 'ses');
}
