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
  DEFAULT_ENVIRONMENT_SETTINGS,
  ENVIRONMENT_NAME_PATTERN,
  type EnvironmentRecord,
  presentEnvironment,
  presentEnvironmentSettings,
} from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import { alreadyExists, created, ok, type Reply, refuse } from '../http/reply.ts';
import type { BodyOf } from '../openapi/body-of.ts';
import { EXAMPLE_IDS } from '../openapi/examples.ts';
import { id, pageOf, record, ref, type Schema, text, time } from '../openapi/schema.ts';
import { compileBody, invalid, withRules } from '../validation/body.ts';
import {
  PRESENTED_SETTINGS,
  SETTINGS_RULES,
  SETTINGS_SCHEMA,
  toSettings,
  validateSettings,
} from './environment-settings.ts';
import { type AdminResource, getOne, listPage, type Named, withBody } from './operation.ts';
import { applyPatch, patchSchema } from './schemas.ts';
import { TENANT } from './tenants.ts';

const ENVIRONMENTS_PATH = '/admin/v1/tenants/{tenantId}/environments';
const ENVIRONMENT_PATH = '/admin/v1/environments/{environmentId}';

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

type EnvironmentBody = BodyOf<typeof ENVIRONMENT_BODY_SCHEMA>;

const ENVIRONMENT_SCHEMAS: Readonly<Record<string, Schema>> = {
  Environment: record('An isolated part of a tenant, such as development or production.', {
    id: id('env', 'The environment.'),
    tenant_id: id('ten', 'Its tenant.'),
    name: text('A slug, unique within the tenant.'),
    ...PRESENTED_SETTINGS,
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
  name: 'environmentId',
  read: readEnvironment,
};

/** Creates an environment, without a token or channel. */
const create = withBody({
  method: 'post',
  path: ENVIRONMENTS_PATH,
  operationId: 'createEnvironment',
  scope: 'tenants:admin',
  summary: 'Create an environment',
  description:
    'An isolated part of the tenant. It shares the tenant’s quota with the others and has its ' +
    'own tokens, channels and templates.',
  body: {
    schema: ENVIRONMENT_BODY_SCHEMA,
    validate: withRules<EnvironmentBody>(compileBody(ENVIRONMENT_BODY_SCHEMA), SETTINGS_RULES),
    examples: { production: { summary: 'Production', value: { name: 'production' } } },
  },
  success: { status: 201, schema: ref('Environment'), example: ENVIRONMENT_EXAMPLE },
  errors: ['already_exists'],
  run: async (request, deps): Promise<Reply> => {
    const { tenantId } = request.ids;
    const { body } = request;
    const stored = await createEnvironment(deps, { tenantId, name: body.name, ...toSettings(body) });
    if (stored.outcome === 'created') return created(presentEnvironment(stored.environment));
    return stored.outcome === 'already_exists' ? alreadyExists('/name') : refuse(stored.outcome);
  },
});

const list = listPage({
  path: ENVIRONMENTS_PATH,
  operationId: 'listEnvironments',
  scope: 'tenants:read',
  summary: 'List environments',
  description: 'The environments of a tenant, newest first.',
  parent: TENANT,
  read: (db, { parent, after, limit, bounds }) =>
    listEnvironments(db, { tenantId: parent.id, after, limit, bounds }),
  present: presentEnvironment,
  schema: ref('EnvironmentList'),
  example: ENVIRONMENT_EXAMPLE,
});

const get = getOne({
  path: ENVIRONMENT_PATH,
  operationId: 'getEnvironment',
  scope: 'tenants:read',
  summary: 'Read an environment',
  description: 'The environment and the tenant that it belongs to.',
  of: ENVIRONMENT,
  present: presentEnvironment,
  schema: ref('Environment'),
  example: ENVIRONMENT_EXAMPLE,
});

/** A change takes effect within 5 s, like every change of configuration. */
const update = withBody({
  method: 'patch',
  path: ENVIRONMENT_PATH,
  operationId: 'updateEnvironment',
  scope: 'tenants:admin',
  summary: 'Change the settings of an environment',
  description:
    'A JSON Merge Patch: settings that are left out stay, null restores a default. Applies to ' +
    'events accepted from then on. The name cannot be changed.',
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
  errors: ['conflict'],
  run: async (request, deps): Promise<Reply> => {
    const { environmentId: id } = request.ids;
    const { body } = request;
    return inTransaction(deps, async (tx) => {
      const current = await lockEnvironment(tx, id);
      if (!current) return refuse('environment_not_found');
      const patched = applyPatch(presentEnvironmentSettings(current), body, validateSettings);
      if (!('body' in patched)) return invalid(patched.issues);
      const settings = toSettings(patched.body);
      const plaintext = settings.httpsOnly ? await findPlaintextChannels(tx, id, deps.kinds) : [];
      if (plaintext.length > 0) {
        const message = `must be false while channels have other URLs: ${plaintext.join(', ')}`;
        return invalid([{ path: '/https_only', code: 'invalid_value', message }]);
      }
      const changed = await changeEnvironment(tx, deps, current, settings);
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
