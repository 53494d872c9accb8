import { ENVIRONMENT_NAME_PATTERN } from '@postrider/domain';
import type { SchemaObject } from 'ajv';

export interface EnvironmentBody {
  readonly name: string;
}

/** Body of POST /admin/v1/tenants/{tenantId}/environments: contract section 8. */
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
