import { ENVIRONMENT_NAME_PATTERN } from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import { id, pageOf, record, type Schema, text, time } from '../../openapi/schema.ts';

export interface EnvironmentBody {
  readonly name: string;
}

/** Body of POST /admin/v1/tenants/{tenantId}/environments: docs/specification.md, "Environments". */
export const ENVIRONMENT_BODY_SCHEMA = {
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

export const ENVIRONMENT_SCHEMAS: Readonly<Record<string, Schema>> = {
  Environment: record('An isolated world of a tenant, such as development or production.', {
    id: id('env', 'The environment.'),
    tenant_id: id('ten', 'Its tenant.'),
    name: text('A slug, unique within the tenant.'),
    created_at: time('When it was created.'),
  }),
  EnvironmentList: pageOf('Environment', 'A page of environments, newest first.'),
};
