import { READ } from '../../pipeline/traits.ts';
import { LIMITS_EXAMPLE, USAGE_EXAMPLE } from '../examples.ts';
import type { PublicOperationDoc } from '../operation-doc.ts';
import { ref } from '../schema-object.ts';

export const GET_USAGE: PublicOperationDoc = {
  method: 'get',
  path: '/api/v1/usage/current',
  operationId: 'getCurrentUsage',
  tag: 'Account',
  summary: 'Read the usage of the current period',
  description: 'What the tenant of the token’s environment has used in the current calendar month, UTC.',
  traits: READ,
  parameters: [],
  success: { status: 200, schema: ref('Usage'), example: USAGE_EXAMPLE },
  errors: [],
};

export const GET_LIMITS: PublicOperationDoc = {
  method: 'get',
  path: '/api/v1/limits',
  operationId: 'getLimits',
  tag: 'Account',
  summary: 'Read the limits of the plan',
  description: 'What the plan of the tenant of the token’s environment allows.',
  traits: READ,
  parameters: [],
  success: { status: 200, schema: ref('Limits'), example: LIMITS_EXAMPLE },
  errors: [],
};
