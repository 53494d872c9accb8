import {
  changeEnvironment,
  createEnvironment,
  findPlaintextChannels,
  inTransaction,
  listEnvironments,
  lockEnvironment,
  readEnvironment,
} from '@postrider/db';
import {
  canonicalLocale,
  DEFAULT_ENVIRONMENT_SETTINGS,
  DEFAULT_LOCALE,
  ENVIRONMENT_NAME_PATTERN,
  type EnvironmentRecord,
  type EnvironmentSettings,
  escapePointerSegment,
  IDEMPOTENCY_KEYS,
  isStreamName,
  type JsonObject,
  LOCALE_PATTERN,
  MISSING_EMAIL_TEMPLATE,
  presentEnvironment,
  presentEnvironmentSettings,
  type StreamNames,
  UNMATCHED_EVENTS,
} from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import { MEMORY } from '../http/memory.ts';
import { alreadyExists, created, type Detail, ok, type Reply, refuse } from '../http/reply.ts';
import { EXAMPLE_IDS } from '../openapi/examples.ts';
import { ENVIRONMENT_ID, TENANT_ID } from '../openapi/parameters.ts';
import { count, id, oneOf, pageOf, record, ref, type Schema, text, time } from '../openapi/schema.ts';
import { compileBody, invalid, PLAIN_TEXT_PATTERN, type Rule, withRules } from '../validation/body.ts';
import { type AdminResource, getOne, idOf, listPage, type Named, withBody } from './operation.ts';
import { applyPatch, LOCALE_SCHEMA, patchSchema } from './schemas.ts';
import { TENANT } from './tenants.ts';

const ENVIRONMENTS_PATH = '/admin/v1/tenants/{tenantId}/environments';
const ENVIRONMENT_PATH = '/admin/v1/environments/{environmentId}';

interface SettingsBody {
  readonly unmatched_events?: EnvironmentSettings['unmatchedEvents'];
  readonly missing_email_template?: EnvironmentSettings['missingEmailTemplate'];
  readonly idempotency_keys?: EnvironmentSettings['idempotencyKeys'];
  readonly https_only?: boolean;
  readonly default_locale?: string;
  readonly soft_bounce_limit?: number;
  readonly soft_bounce_days?: number;
  readonly soft_bounce_pause_days?: number;
  readonly pause_streams_at_complaint_rate?: number | null;
  readonly stream_names?: StreamNames;
}

interface EnvironmentBody extends SettingsBody {
  readonly name: string;
}

const ABOUT_SETTINGS = {
  unmatched_events:
    'What happens to an event that no enabled channel takes: `refuse` answers 422 `no_matching_channel`; `store` answers ' +
    '201 with the status `unrouted`, counts the event once, and keeps it for a replay.',
  missing_email_template:
    'What happens to an event that an email channel takes without having an active template for it: `refuse` answers ' +
    '422 `template_not_found`; `skip` creates delivery runs only for the other channels.',
  default_locale:
    'The language (BCP 47) for recipients whose `locale` is unknown or not translated. Changing ' +
    'it creates new versions of the active templates.',
  idempotency_keys:
    'Which Idempotency-Keys are accepted: only a `uuid`, or `any` key of 1 to 255 visible ASCII characters.',
  soft_bounce_limit:
    'How many bounces in a row that are not permanent suppress an address for a while; 0: never.',
  soft_bounce_days: 'The number of days within which they count.',
  soft_bounce_pause_days: 'For how many days the address is then suppressed.',
  pause_streams_at_complaint_rate:
    'The share of complaints in the email of a day from which a stream is paused, such as 0.003. Null: never.',
  stream_names:
    'The names of streams for recipients, by stream and language, such as `{"news": {"en": "Newsletter"}}`. The pages of ' +
    'unsubscribe links show them.',
  https_only: 'Whether channels may only have https URLs. Cannot be set while one has another.',
} as const;

const SOFT_BOUNCE_LIMITS = {
  soft_bounce_limit: { minimum: 0, maximum: 100 },
  soft_bounce_days: { minimum: 1, maximum: 90 },
  soft_bounce_pause_days: { minimum: 1, maximum: 365 },
} as const;
type SoftBounceSetting = keyof typeof SOFT_BOUNCE_LIMITS;

const setting = (
  name: 'unmatched_events' | 'missing_email_template' | 'idempotency_keys',
  values: readonly string[],
) => ({ type: 'string', enum: [...values], default: values[0], description: ABOUT_SETTINGS[name] }) as const;

const wholeSetting = (name: SoftBounceSetting) =>
  ({
    ...SOFT_BOUNCE_LIMITS[name],
    type: 'integer',
    default: presentEnvironmentSettings(DEFAULT_ENVIRONMENT_SETTINGS)[name] as number,
    description: ABOUT_SETTINGS[name],
  }) as const;

const COMPLAINT_RATES = {
  minimum: 0.0001,
  maximum: 1,
  description: ABOUT_SETTINGS.pause_streams_at_complaint_rate,
} as const;

const MAX_NAMED_STREAMS = 100;
const MAX_LANGUAGES = 50;
const MAX_STREAM_NAME = 100;

/** Issues of the streams and languages that have names. */
function streamNameIssues({ stream_names: names = {} }: SettingsBody): Detail[] {
  const issue = (path: string, message: string): Detail => ({ path, code: 'invalid_value', message });
  return Object.entries(names).flatMap(([stream, texts]) => {
    const path = `/stream_names/${escapePointerSegment(stream)}`;
    if (!isStreamName(stream)) return [issue(path, 'is not the name of a stream')];
    return Object.keys(texts)
      .filter((locale) => !LOCALE.test(locale))
      .map((locale) =>
        issue(`${path}/${escapePointerSegment(locale)}`, 'is not a language, such as fr or fr-CA'),
      );
  });
}

const LOCALE = new RegExp(LOCALE_PATTERN);
const SETTINGS_RULES: readonly Rule<SettingsBody>[] = [
  { reads: ['/stream_names'], issuesOf: streamNameIssues },
];

const STREAM_NAMES_SCHEMA = {
  type: 'object',
  maxProperties: MAX_NAMED_STREAMS,
  description: ABOUT_SETTINGS.stream_names,
  additionalProperties: {
    type: 'object',
    maxProperties: MAX_LANGUAGES,
    additionalProperties: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_STREAM_NAME,
      pattern: PLAIN_TEXT_PATTERN,
    },
  },
} as const satisfies SchemaObject;

const SETTINGS_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    unmatched_events: setting('unmatched_events', UNMATCHED_EVENTS),
    missing_email_template: setting('missing_email_template', MISSING_EMAIL_TEMPLATE),
    idempotency_keys: setting('idempotency_keys', IDEMPOTENCY_KEYS),
    https_only: { type: 'boolean', default: false, description: ABOUT_SETTINGS.https_only },
    default_locale: { ...LOCALE_SCHEMA, default: DEFAULT_LOCALE, description: ABOUT_SETTINGS.default_locale },
    soft_bounce_limit: wholeSetting('soft_bounce_limit'),
    soft_bounce_days: wholeSetting('soft_bounce_days'),
    soft_bounce_pause_days: wholeSetting('soft_bounce_pause_days'),
    pause_streams_at_complaint_rate: { ...COMPLAINT_RATES, type: ['number', 'null'], default: null },
    stream_names: { ...STREAM_NAMES_SCHEMA, default: {} },
  },
} as const satisfies SchemaObject;

function toSettings(body: SettingsBody): EnvironmentSettings {
  const defaults = DEFAULT_ENVIRONMENT_SETTINGS;
  return {
    unmatchedEvents: body.unmatched_events ?? defaults.unmatchedEvents,
    missingEmailTemplate: body.missing_email_template ?? defaults.missingEmailTemplate,
    idempotencyKeys: body.idempotency_keys ?? defaults.idempotencyKeys,
    httpsOnly: body.https_only ?? defaults.httpsOnly,
    defaultLocale: canonicalLocale(body.default_locale) ?? defaults.defaultLocale,
    softBounceLimit: body.soft_bounce_limit ?? defaults.softBounceLimit,
    softBounceDays: body.soft_bounce_days ?? defaults.softBounceDays,
    softBouncePauseDays: body.soft_bounce_pause_days ?? defaults.softBouncePauseDays,
    pauseStreamsAtComplaintRate: body.pause_streams_at_complaint_rate ?? null,
    streamNames: body.stream_names ?? defaults.streamNames,
  };
}

const validateSettings = withRules(compileBody<SettingsBody>(SETTINGS_SCHEMA), SETTINGS_RULES);

/** Body of POST /admin/v1/tenants/{tenantId}/environments (docs/specification.md, "Environments"). */
const ENVIRONMENT_BODY_SCHEMA = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    name: {
      type: 'string',
      pattern: ENVIRONMENT_NAME_PATTERN,
      description: 'Unique within the tenant; a part of its tokens, so it cannot be changed.',
    },
    ...SETTINGS_SCHEMA.properties,
  },
} as const satisfies SchemaObject;

const ENVIRONMENT_SCHEMAS: Readonly<Record<string, Schema>> = {
  Environment: record('An isolated part of a tenant, such as development or production.', {
    id: id('env', 'The environment.'),
    tenant_id: id('ten', 'Its tenant.'),
    name: text('A slug, unique within the tenant.'),
    unmatched_events: oneOf(UNMATCHED_EVENTS, ABOUT_SETTINGS.unmatched_events),
    missing_email_template: oneOf(MISSING_EMAIL_TEMPLATE, ABOUT_SETTINGS.missing_email_template),
    idempotency_keys: oneOf(IDEMPOTENCY_KEYS, ABOUT_SETTINGS.idempotency_keys),
    https_only: { type: 'boolean', description: ABOUT_SETTINGS.https_only },
    default_locale: text(ABOUT_SETTINGS.default_locale),
    soft_bounce_limit: count(ABOUT_SETTINGS.soft_bounce_limit),
    soft_bounce_days: count(ABOUT_SETTINGS.soft_bounce_days),
    soft_bounce_pause_days: count(ABOUT_SETTINGS.soft_bounce_pause_days),
    pause_streams_at_complaint_rate: { anyOf: [{ ...COMPLAINT_RATES, type: 'number' }, { type: 'null' }] },
    stream_names: STREAM_NAMES_SCHEMA,
    created_at: time('When it was created.'),
  }),
  EnvironmentList: pageOf('Environment', 'A page of environments, newest first.'),
};

const ENVIRONMENT_EXAMPLE = {
  id: EXAMPLE_IDS.environment,
  tenant_id: EXAMPLE_IDS.tenant,
  name: 'production',
  ...presentEnvironmentSettings(DEFAULT_ENVIRONMENT_SETTINGS),
  created_at: '2026-11-21T09:00:00.000Z',
};

/** How paths identify an environment. */
export const ENVIRONMENT: Named<EnvironmentRecord> = {
  parameter: ENVIRONMENT_ID,
  read: readEnvironment,
  notFound: 'environment_not_found',
};

/** Creates an environment, without a token or channel. */
const create = withBody<EnvironmentBody>({
  method: 'post',
  path: ENVIRONMENTS_PATH,
  operationId: 'createEnvironment',
  memory: MEMORY.small,
  summary: 'Create an environment',
  description:
    'An isolated part of the tenant. It shares the tenant’s quota with the others and has its ' +
    'own tokens, channels and templates.',
  parameters: [TENANT_ID],
  body: {
    schema: ENVIRONMENT_BODY_SCHEMA,
    validate: withRules(compileBody<EnvironmentBody>(ENVIRONMENT_BODY_SCHEMA), SETTINGS_RULES),
    examples: { production: { summary: 'Production', value: { name: 'production' } } },
  },
  success: { status: 201, schema: ref('Environment'), example: ENVIRONMENT_EXAMPLE },
  errors: ['tenant_not_found', 'already_exists'],
  run:
    ({ db, newId }) =>
    async (request): Promise<Reply> => {
      const tenantId = idOf(request, TENANT_ID);
      if (tenantId === null) return refuse('tenant_not_found');
      const { actor, body } = request;
      const stored = await createEnvironment(
        { db, newId, actor },
        { tenantId, name: body.name, ...toSettings(body) },
      );
      switch (stored.outcome) {
        case 'created':
          return created(presentEnvironment(stored.environment));
        case 'tenant_not_found':
          return refuse('tenant_not_found');
        case 'already_exists':
          return alreadyExists('/name');
      }
    },
});

const list = listPage({
  path: ENVIRONMENTS_PATH,
  operationId: 'listEnvironments',
  memory: MEMORY.rows,
  summary: 'List environments',
  description: 'The environments of a tenant, newest first.',
  parent: TENANT,
  read: (db, { parent, after, limit }) => listEnvironments(db, { tenantId: parent.id, after, limit }),
  present: presentEnvironment,
  schema: ref('EnvironmentList'),
  example: ENVIRONMENT_EXAMPLE,
});

const get = getOne({
  path: ENVIRONMENT_PATH,
  operationId: 'getEnvironment',
  memory: MEMORY.small,
  summary: 'Read an environment',
  description: 'The environment and the tenant that it belongs to.',
  of: ENVIRONMENT,
  present: presentEnvironment,
  schema: ref('Environment'),
  example: ENVIRONMENT_EXAMPLE,
});

/** A change takes effect within 5 s, like every change of configuration. */
const update = withBody<JsonObject>({
  method: 'patch',
  path: ENVIRONMENT_PATH,
  operationId: 'updateEnvironment',
  memory: MEMORY.small,
  summary: 'Change the settings of an environment',
  description:
    'A JSON Merge Patch: settings that are left out stay, null restores a default. Applies to ' +
    'events accepted from then on. The name cannot be changed.',
  parameters: [ENVIRONMENT_ID],
  body: {
    schema: patchSchema(SETTINGS_SCHEMA),
    examples: {
      store: { summary: 'Keep events that no channel takes', value: { unmatched_events: 'store' } },
      skip: { summary: 'Send webhooks without a template', value: { missing_email_template: 'skip' } },
    },
  },
  success: {
    status: 200,
    schema: ref('Environment'),
    example: { ...ENVIRONMENT_EXAMPLE, unmatched_events: 'store' },
  },
  errors: ['environment_not_found', 'conflict'],
  run:
    ({ db, newId, kinds }) =>
    async (request): Promise<Reply> => {
      const id = idOf(request, ENVIRONMENT_ID);
      if (id === null) return refuse('environment_not_found');
      const { actor, body } = request;
      return inTransaction({ db }, async (tx) => {
        const current = await lockEnvironment(tx, id);
        if (!current) return refuse('environment_not_found');
        const patched = applyPatch(presentEnvironmentSettings(current), body, validateSettings);
        if (!('body' in patched)) return invalid(patched.issues);
        const settings = toSettings(patched.body);
        const plaintext = settings.httpsOnly ? await findPlaintextChannels(tx, id, kinds) : [];
        if (plaintext.length > 0) {
          const message = `must be false while channels have other URLs: ${plaintext.join(', ')}`;
          return invalid([{ path: '/https_only', code: 'invalid_value', message }]);
        }
        const changed = await changeEnvironment(tx, { db, newId, actor }, current, settings);
        return 'problem' in changed
          ? refuse('conflict', { message: changed.problem.message })
          : ok(presentEnvironment(changed.environment));
      });
    },
});

export const ENVIRONMENTS: AdminResource = {
  tag: { name: 'Environments', description: 'Management: development, staging, production of a tenant.' },
  schemas: ENVIRONMENT_SCHEMAS,
  operations: [create, list, get, update],
};
