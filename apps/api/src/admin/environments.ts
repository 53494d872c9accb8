import {
  changeEnvironment,
  createEnvironment,
  findPlaintextChannels,
  listEnvironments,
  lockEnvironment,
  readEnvironment,
} from '@postrider/db';
import {
  DEFAULT_ENVIRONMENT_SETTINGS,
  ENVIRONMENT_NAME_PATTERN,
  type EnvironmentRecord,
  invalid,
  invalidValue,
  presentEnvironment,
  presentEnvironmentSettings,
  reject,
} from '@postrider/domain';
import * as json from '../openapi/schema.ts';
import { compileBody, withRules } from '../validation/body.ts';
import {
  PRESENTED_SETTINGS,
  SETTINGS_RULES,
  SETTINGS_SCHEMA,
  toSettings,
  validateSettings,
} from './environment-settings.ts';
import type { AdminResource, Named } from './operation.ts';
import { patchSchema } from './schemas.ts';
import { standardOperationsOf } from './standard-operations.ts';
import { TENANT } from './tenants.ts';

/** Body of POST /admin/v1/tenants/{tenantId}/environments (docs/specification.md, "Environments"). */
const ENVIRONMENT_BODY_SCHEMA = json.closedObject(['name'], {
  name: {
    type: 'string',
    pattern: ENVIRONMENT_NAME_PATTERN,
    description: 'Unique within the tenant; a part of its tokens, so it cannot be changed.',
  },
  ...SETTINGS_SCHEMA.properties,
});

type EnvironmentBody = json.BodyOf<typeof ENVIRONMENT_BODY_SCHEMA>;

const ENVIRONMENT_SCHEMAS: json.Schemas = {
  Environment: json.record('An isolated part of a tenant, such as development or production.', {
    id: json.id('env', 'The environment.'),
    tenant_id: json.id('ten', 'Its tenant.'),
    name: json.text('A slug, unique within the tenant.'),
    ...PRESENTED_SETTINGS,
    created_at: json.time('When it was created.'),
  }),
  EnvironmentList: json.pageOf('Environment', 'A page of environments, newest first.'),
};

const ENVIRONMENT_EXAMPLE = {
  name: 'production',
  ...presentEnvironmentSettings(DEFAULT_ENVIRONMENT_SETTINGS),
};

/** How paths identify an environment. */
export const ENVIRONMENT: Named<EnvironmentRecord> = { name: 'environmentId', read: readEnvironment };

const STANDARD = standardOperationsOf({
  name: 'Environment',
  all: '/admin/v1/tenants/{tenantId}/environments',
  one: '/admin/v1/environments/{environmentId}',
  scopes: ['tenants:read', 'tenants:admin'],
  parent: TENANT,
  present: presentEnvironment,
  example: ENVIRONMENT_EXAMPLE,
});

export const ENVIRONMENTS: AdminResource = {
  tag: { name: 'Environments', description: 'Management: development, staging, production of a tenant.' },
  schemas: ENVIRONMENT_SCHEMAS,
  operations: [
    // Without a token or channel.
    STANDARD.create({
      description:
        'An isolated part of the tenant. It shares the tenant’s quota with the others and has its ' +
        'own tokens, channels and templates.',
      body: {
        schema: ENVIRONMENT_BODY_SCHEMA,
        validate: withRules<EnvironmentBody>(compileBody(ENVIRONMENT_BODY_SCHEMA), SETTINGS_RULES),
        examples: { production: { summary: 'Production', value: { name: 'production' } } },
      },
      errors: ['already_exists'],
      run: async ({ ids, body }, deps) => {
        const environment = await createEnvironment(deps, { ...ids, name: body.name, ...toSettings(body) });
        return presentEnvironment(environment);
      },
    }),
    STANDARD.list({ description: 'The environments of a tenant, newest first.', read: listEnvironments }),
    STANDARD.get({
      description: 'The environment and the tenant that it belongs to.',
      of: ENVIRONMENT,
    }),
    // A change takes effect within 5 s, like every change of configuration.
    STANDARD.update({
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
      changed: { unmatched_events: 'store' },
      errors: ['conflict'],
      lock: lockEnvironment,
      fields: presentEnvironmentSettings,
      validate: validateSettings,
      async change(tx, { current, body }, deps) {
        const settings = toSettings(body);
        const plaintext = settings.httpsOnly ? await findPlaintextChannels(tx, current.id, deps.kinds) : [];
        if (plaintext.length > 0) {
          const message = `must be false while channels have other URLs: ${plaintext.join(', ')}`;
          reject(invalid([invalidValue('/https_only', message)]));
        }
        return changeEnvironment(tx, deps, current, settings);
      },
    }),
  ],
};
