import type { ChannelKind } from '../channels/channel-kinds.ts';
import { formatId } from '../ids.ts';
import type { JsonObject } from '../storable-json.ts';
import { DEFAULT_LOCALE } from '../templates/resources.ts';
import { formatOptionalTime, formatTime } from '../timestamp.ts';

/**
 * A tenant's billing status: docs/specification.md, "Tenants". `suspended` tenants cannot send; `past_due` ones can
 * until their grace period ends.
 */
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

/** See {@link MANAGED_RESOURCES}. */
export const TENANT_RESOURCES = [
  { name: 'plan', idPrefix: null, label: 'plan' },
  { name: 'tenant', idPrefix: 'ten', label: 'tenant' },
  { name: 'environment', idPrefix: 'env', label: 'environment' },
  { name: 'token', idPrefix: 'tok', label: 'token' },
] as const;

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

export interface PlanRecord extends Plan {
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The fields of a plan that a client sets, in the API's form (docs/specification.md, "Plans"). */
export function presentPlanFields(plan: Plan): JsonObject {
  return {
    code: plan.code,
    name: plan.name,
    events_per_month: plan.eventsPerMonth,
    requests_per_second: plan.requestsPerSecond,
    burst: plan.burst,
    max_payload_bytes: plan.maxPayloadBytes,
    max_schedule_days: plan.maxScheduleDays,
    retention_days: plan.retentionDays,
    channel_kinds: [...plan.channelKinds],
  };
}

/** A plan as the API shows it (docs/specification.md, "Plans"). */
export function presentPlan(plan: PlanRecord): JsonObject {
  return {
    ...presentPlanFields(plan),
    created_at: formatTime(plan.createdAt),
    updated_at: formatTime(plan.updatedAt),
  };
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

/** The fields of a tenant that a client sets, in the API's form (docs/specification.md, "Tenants"). */
export function presentTenantFields(tenant: TenantInput): JsonObject {
  return {
    name: tenant.name,
    plan: tenant.planCode,
    billing_status: tenant.billingStatus,
    grace_ends_at: formatOptionalTime(tenant.graceEndsAt),
  };
}

/** A tenant as the API shows it (docs/specification.md, "Tenants"). */
export function presentTenant(tenant: TenantRecord): JsonObject {
  return {
    id: formatId('ten', tenant.id),
    ...presentTenantFields(tenant),
    created_at: formatTime(tenant.createdAt),
    updated_at: formatTime(tenant.updatedAt),
  };
}

/** The values of an environment's settings, the default first (docs/specification.md, "Environments"). */
export const UNMATCHED_EVENTS = ['refuse', 'store'] as const;
export const MISSING_EMAIL_TEMPLATE = ['refuse', 'skip'] as const;
export const IDEMPOTENCY_KEYS = ['uuid', 'any'] as const;

/** How an environment handles its events. */
export interface EnvironmentSettings {
  /** What happens to an event without matching channels. */
  readonly unmatchedEvents: (typeof UNMATCHED_EVENTS)[number];
  /** Whether a missing email template refuses the event, or only skips the email channel. */
  readonly missingEmailTemplate: (typeof MISSING_EMAIL_TEMPLATE)[number];
  /** Whether an Idempotency-Key must be a UUID. */
  readonly idempotencyKeys: (typeof IDEMPOTENCY_KEYS)[number];
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

/** The settings of a new environment. */
export const DEFAULT_ENVIRONMENT_SETTINGS: EnvironmentSettings = {
  unmatchedEvents: 'refuse',
  missingEmailTemplate: 'refuse',
  idempotencyKeys: 'uuid',
  httpsOnly: false,
  defaultLocale: DEFAULT_LOCALE,
  softBounceLimit: 5,
  softBounceDays: 7,
  softBouncePauseDays: 7,
  pauseStreamsAtComplaintRate: null,
  streamNames: {},
};

/** The settings in the API's form. */
export function presentEnvironmentSettings(settings: EnvironmentSettings): JsonObject {
  return {
    unmatched_events: settings.unmatchedEvents,
    missing_email_template: settings.missingEmailTemplate,
    idempotency_keys: settings.idempotencyKeys,
    https_only: settings.httpsOnly,
    default_locale: settings.defaultLocale,
    soft_bounce_limit: settings.softBounceLimit,
    soft_bounce_days: settings.softBounceDays,
    soft_bounce_pause_days: settings.softBouncePauseDays,
    pause_streams_at_complaint_rate: settings.pauseStreamsAtComplaintRate,
    stream_names: settings.streamNames,
  };
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
  return {
    id: formatId('env', environment.id),
    tenant_id: formatId('ten', environment.tenantId),
    name: environment.name,
    ...presentEnvironmentSettings(environment),
    created_at: formatTime(environment.createdAt),
  };
}

/** Additional rights that a token can have (docs/specification.md, "Tokens"). */
export const TOKEN_SCOPES = ['ignore_suppression'] as const;

/** A token without its secret. Ids are UUIDs. */
export interface TokenRecord {
  readonly id: string;
  readonly environmentId: string;
  readonly name: string;
  readonly prefix: string;
  readonly lastFour: string;
  /** Some of {@link TOKEN_SCOPES}. A newer release may have stored others. */
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
  /** UUID of the successor that a rotation created. */
  readonly replacedById: string | null;
}

/** A token as the API shows it (docs/specification.md, "Tokens"). */
export function presentToken(token: TokenRecord): JsonObject {
  return {
    id: formatId('tok', token.id),
    environment_id: formatId('env', token.environmentId),
    name: token.name,
    prefix: token.prefix,
    last_four: token.lastFour,
    scopes: [...token.scopes],
    created_at: formatTime(token.createdAt),
    expires_at: formatOptionalTime(token.expiresAt),
    last_used_at: formatOptionalTime(token.lastUsedAt),
    revoked_at: formatOptionalTime(token.revokedAt),
    replaced_by: token.replacedById === null ? null : formatId('tok', token.replacedById),
  };
}

/** See {@link MANAGED_RESOURCES}. */
export const CONSOLE_RESOURCES = [
  { name: 'console_session', idPrefix: 'ses', label: 'console session' },
] as const;

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
  /** The session that issued its link; null if the admin token did, or if there was no link. */
  readonly issuerId: string | null;
  readonly createdAt: Date;
  /** To the minute. */
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
}

/** A session as the API and the audit log show it. */
export function presentConsoleSession(session: ConsoleSessionRecord): JsonObject {
  return {
    id: formatId('ses', session.id),
    role: session.role,
    environment_id: session.environmentId && formatId('env', session.environmentId),
    actor: session.actor,
    issued_by: session.issuerId && formatId('ses', session.issuerId),
    created_at: formatTime(session.createdAt),
    last_used_at: formatTime(session.lastUsedAt),
    expires_at: formatTime(session.expiresAt),
  };
}

/** A link that nobody has used yet, as the API shows it. Its id is that of the session that it will open. */
export function presentConsoleLink(link: ConsoleSessionRecord): JsonObject {
  const { id, actor, issued_by, created_at, expires_at } = presentConsoleSession(link);
  return { id, actor, issued_by, created_at, expires_at } as JsonObject;
}
