import { tokenScopes } from '../access.ts';
import * as json from '../fields.ts';
import { presentFields } from '../present.ts';
import type { JsonObject } from '../storable-json.ts';
import { DEFAULT_ENVIRONMENT_SETTINGS, type EnvironmentSettings } from './environment-settings.ts';

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

/** Set by a client (docs/specification.md, "Plans"). */
const PLAN_SETTINGS = {
  code: json.text('Its stable code.'),
  name: json.text('A display name.'),
  events_per_month: json.limit('Events and replays of a tenant in a calendar month, UTC.'),
  // Both are set, or neither.
  requests_per_second: json.limit('The sustained rate of an environment, in requests per second.'),
  burst: json.limit('Requests that are allowed at once.'),
  max_payload_bytes: json.limit('The largest body of an event; null: 262,144.'),
  max_schedule_days: json.limit('How far ahead `schedule_at` may be.'),
  retention_days: json.limit('Days after which messages are removed, with their runs and attempts.'),
  channel_kinds: json.list(json.text('A kind of channel.'), 'The kinds that the tenant may have.'),
};
export const PLAN_FIELDS = { ...PLAN_SETTINGS, ...json.CHANGE_TIMES };

/** The limits of a tenant. */
export type Plan = json.RecordOf<typeof PLAN_SETTINGS>;
export type PlanRecord = json.RecordOf<typeof PLAN_FIELDS>;

/** A plan's code: a slug, used in paths. */
export const PLAN_CODE_PATTERN = '^[a-z0-9][a-z0-9_-]{0,62}$';

/** The fields of a plan that a client sets. */
export const presentPlanFields = json.presenterOf(PLAN_SETTINGS);
/** A plan as the API and the audit log show it. */
export const presentPlan = json.presenterOf(PLAN_FIELDS);

/** No limits at all. */
export const UNLIMITED = {
  eventsPerMonth: null,
  requestsPerSecond: null,
  burst: null,
  maxPayloadBytes: null,
  maxScheduleDays: null,
  retentionDays: null,
} as const satisfies Partial<Plan>;

/** The fields of a tenant that a client sets. */
const TENANT_SETTINGS = {
  name: json.text('A display name.'),
  plan: json.text('The code of its plan.'),
  billing_status: json.oneOf(
    BILLING_STATUSES,
    '`suspended` tenants may not send, `past_due` ones only until `grace_ends_at`.',
  ),
  grace_ends_at: json.optionalTime('Until when a `past_due` tenant may still send.'),
};
export const TENANT_FIELDS = {
  id: json.id('ten', 'The tenant.'),
  ...TENANT_SETTINGS,
  ...json.CHANGE_TIMES,
};

export type TenantInput = json.RecordOf<typeof TENANT_SETTINGS>;
export type TenantRecord = json.RecordOf<typeof TENANT_FIELDS>;

/** The fields of a tenant that a client sets. */
export const presentTenantFields = json.presenterOf(TENANT_SETTINGS);
/** A tenant as the API and the audit log show it. */
export const presentTenant = json.presenterOf(TENANT_FIELDS, 'ten');

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

/** How a token is recognised. */
export const TOKEN_HINT_FIELDS = {
  prefix: json.text('The beginning of the token, before its secret part.'),
  last_four: json.text('Its last four characters, by which owners recognise it.'),
};

export const TOKEN_TIMES = {
  created_at: json.time('When it was issued.'),
  expires_at: json.optionalTime(
    'The token is refused from this time on, by the database’s clock; null means never.',
  ),
  last_used_at: json.optionalTime(
    'The minute in which it was last used, known some minutes later; null if never.',
  ),
  revoked_at: json.optionalTime('When it was revoked; null if it was not.'),
};

/** The fields of a token of an environment, without its secret (docs/specification.md, "Tokens"). */
export const TOKEN_FIELDS = {
  id: json.id('tok', 'The token.'),
  environment_id: json.id('env', 'Its environment.'),
  consumer: json.nullable(
    json.text('The consumer that it is bound to; null for a token of the whole environment.'),
  ),
  name: json.text('A display name.'),
  ...TOKEN_HINT_FIELDS,
  scopes: json.list(json.text('A scope.'), 'What it may do.'),
  ...TOKEN_TIMES,
  replaced_by: json.nullable(json.id('tok', 'The successor issued by a rotation.')),
};

/** Its scopes are the stored ones, of which a newer release may have others than this one knows: see {@link tokenScopes}. */
export type TokenRecord = json.RecordOf<typeof TOKEN_FIELDS>;

const presentStored = json.presenterOf(TOKEN_FIELDS, 'tok');
/** A token as the API and the audit log show it. */
export const presentToken = (token: TokenRecord): JsonObject =>
  presentStored({ ...token, scopes: [...tokenScopes(token.scopes)] });

export const CONSOLE_ROLES = ['operator', 'integrator'] as const;
/** What a session may do: an operator manages everything, an integrator has the powers of one token. */
export type ConsoleRole = (typeof CONSOLE_ROLES)[number];

const ISSUED_BY = json.nullable(
  json.id('ses', 'The session that issued the link: they end together. Null if the admin token did.'),
);

/** The fields of a session of the console, without its secret. */
export const CONSOLE_SESSION_FIELDS = {
  id: json.id('ses', 'The session.'),
  role: json.oneOf(
    CONSOLE_ROLES,
    '`operator` has the rights of the operator or of the admin token, `integrator` those of one token.',
  ),
  environment_id: json.nullable(json.id('env', 'The environment of an integrator’s token.')),
  operator_id: json.nullable(
    json.id('opr', 'The operator; null for an integrator, and for a session of the admin token.'),
  ),
  actor: json.text(
    'The email of the operator, the name that the holder of the admin token entered, or the id of the token.',
  ),
  provider: json.nullable(json.text('The OpenID provider that confirmed it; null if none did.')),
  address: json.nullable(json.text('The IP address that opened it.')),
  user_agent: json.nullable(json.text('The program that opened it, as it describes itself.')),
  issued_by: ISSUED_BY,
  created_at: json.time('When it began.'),
  last_used_at: json.time('The minute in which it was last used.'),
  expires_at: json.time('When it ends, whether it is used or not.'),
};

/** The fields of a link that nobody has used yet. Its id is that of the session that it will open. */
export const CONSOLE_LINK_FIELDS = {
  id: json.id('ses', 'The link, and the session that it opens.'),
  actor: json.text('The name that the session will have in the audit log.'),
  issued_by: ISSUED_BY,
  created_at: json.time('When it was issued.'),
  expires_at: json.time('Until when it can be used.'),
};

/** The provider is not known yet when the audit log shows a session. */
const { provider: _provider, ...AUDITED_SESSION } = CONSOLE_SESSION_FIELDS;
export type ConsoleSessionRecord = json.RecordOf<typeof AUDITED_SESSION>;

/** A session as the audit log shows it. */
export const presentConsoleSession = json.presenterOf(AUDITED_SESSION, 'ses');
/** A session in a list. */
export const presentListedSession = json.presenterOf(CONSOLE_SESSION_FIELDS, 'ses');
/** A link as the API shows it. */
export const presentConsoleLink = json.presenterOf(CONSOLE_LINK_FIELDS, 'ses');
