import { createEnvironment, listEnvironments, readEnvironment } from '@postrider/db';
import { ENVIRONMENT_NAME_PATTERN, type EnvironmentRecord, presentEnvironment } from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import { alreadyExists, created, type Reply, refuse } from '../http/reply.ts';
import { EXAMPLE_IDS } from '../openapi/examples.ts';
import { ENVIRONMENT_ID, TENANT_ID } from '../openapi/parameters.ts';
import { id, pageOf, record, ref, type Schema, text, time } from '../openapi/schema.ts';
import { type AdminResource, getOne, idOf, listPage, type Named, withBody } from './operation.ts';
import { TENANT } from './tenants.ts';

const ENVIRONMENTS_PATH = '/admin/v1/tenants/{tenantId}/environments';

interface EnvironmentBody {
  readonly name: string;
}

/** Body of POST /admin/v1/tenants/{tenantId}/environments: docs/specification.md, "Environments". */
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
  },
} as const satisfies SchemaObject;

const ENVIRONMENT_SCHEMAS: Readonly<Record<string, Schema>> = {
  Environment: record('An isolated world of a tenant, such as development or production.', {
    id: id('env', 'The environment.'),
    tenant_id: id('ten', 'Its tenant.'),
    name: text('A slug, unique within the tenant.'),
    created_at: time('When it was created.'),
  }),
  EnvironmentList: pageOf('Environment', 'A page of environments, newest first.'),
};

const ENVIRONMENT_EXAMPLE = {
  id: EXAMPLE_IDS.environment,
  tenant_id: EXAMPLE_IDS.tenant,
  name: 'production',
  created_at: '2026-11-21T09:00:00.000Z',
};

/** How paths name it. */
export const ENVIRONMENT: Named<EnvironmentRecord> = {
  parameter: ENVIRONMENT_ID,
  read: readEnvironment,
  notFound: 'environment_not_found',
};

/** An environment, still without token and channel. */
const create = withBody<EnvironmentBody>({
  method: 'post',
  path: ENVIRONMENTS_PATH,
  operationId: 'createEnvironment',
  summary: 'Create an environment',
  description:
    'An isolated world of the tenant. It shares the tenant’s quota with the others and has tokens, ' +
    'channels and templates of its own.',
  parameters: [TENANT_ID],
  body: {
    schema: ENVIRONMENT_BODY_SCHEMA,
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
      const stored = await createEnvironment({ db, newId, actor }, { tenantId, name: body.name });
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
  summary: 'List environments',
  description: 'The environments of a tenant, newest first.',
  parent: TENANT,
  read: (db, { parent, after, limit }) => listEnvironments(db, { tenantId: parent.id, after, limit }),
  present: presentEnvironment,
  schema: ref('EnvironmentList'),
  example: ENVIRONMENT_EXAMPLE,
});

const get = getOne({
  path: '/admin/v1/environments/{environmentId}',
  operationId: 'getEnvironment',
  summary: 'Read an environment',
  description: 'The environment and the tenant that it belongs to.',
  of: ENVIRONMENT,
  present: presentEnvironment,
  schema: ref('Environment'),
  example: ENVIRONMENT_EXAMPLE,
});

export const ENVIRONMENTS: AdminResource = {
  tag: { name: 'Environments', description: 'Management: development, staging, production of a tenant.' },
  schemas: ENVIRONMENT_SCHEMAS,
  operations: [create, list, get],
};
