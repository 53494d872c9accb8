import {
  changeOperator,
  createOperator,
  inTransaction,
  listOperators,
  lockOperator,
  readOperator,
} from '@postrider/db';
import {
  LOCAL_SOURCE,
  type OperatorRecord,
  presentOperator,
  presentOperatorFields,
  toBareAddress,
} from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import { alreadyExists, created, type Detail, ok, type Reply, refuse } from '../../http/reply.ts';
import type { BodyOf } from '../../openapi/body-of.ts';
import { EXAMPLE_IDS } from '../../openapi/examples.ts';
import { id, optionalTime, pageOf, record, ref, type Schema, text, time } from '../../openapi/schema.ts';
import { compileBody, invalid, withRules } from '../../validation/body.ts';
import { isActorName } from '../authenticate.ts';
import { type AdminResource, getOne, listPage, type Named, withBody } from '../operation.ts';
import { applyPatch, NAME_SCHEMA, patchSchema } from '../schemas.ts';
import {
  BOUNDS,
  BOUNDS_SCHEMAS,
  keepingAdministrator,
  lockCaller,
  orRefusal,
  ROLE,
  ROLE_SCHEMA,
  refuseBeyond,
  refuseUnknown,
  scopesOf,
  toBounds,
} from './rights.ts';

const OPERATORS_PATH = '/admin/v1/operators';
const OPERATOR_PATH = `${OPERATORS_PATH}/{operatorId}` as const;

const FIELDS = {
  name: NAME_SCHEMA,
  role: ROLE_SCHEMA,
  ...BOUNDS_SCHEMAS,
} as const;

const OPERATOR_BODY_SCHEMA = {
  type: 'object',
  required: ['email', 'name', 'role'],
  additionalProperties: false,
  properties: {
    email: {
      type: 'string',
      maxLength: 128,
      description:
        'Their address, by which they sign in, and their name in the audit log. It cannot be changed.',
    },
    ...FIELDS,
  },
} as const satisfies SchemaObject;

const OPERATOR_FIELDS_SCHEMA = {
  type: 'object',
  required: ['name', 'role'],
  additionalProperties: false,
  properties: {
    ...FIELDS,
    enabled: {
      type: 'boolean',
      default: true,
      description: 'A disabled operator has no access, and their sessions and tokens are refused.',
    },
  },
} as const satisfies SchemaObject;

type OperatorBody = BodyOf<typeof OPERATOR_BODY_SCHEMA>;

/** The address is also the name in the audit log. */
const isOperatorEmail = (text: string) => toBareAddress(text) === text && isActorName(text);

function emailIssues({ email }: OperatorBody): Detail[] {
  if (isOperatorEmail(email)) return [];
  return [{ path: '/email', code: 'invalid_format', message: 'must be one bare email address in ASCII' }];
}

const validateOperator = withRules(compileBody<OperatorBody>(OPERATOR_BODY_SCHEMA), [
  { reads: ['/email'], issuesOf: emailIssues },
]);
const validateFields = compileBody<BodyOf<typeof OPERATOR_FIELDS_SCHEMA>>(OPERATOR_FIELDS_SCHEMA);

const OPERATOR_SCHEMAS: Readonly<Record<string, Schema>> = {
  Operator: record('A person who operates the installation.', {
    id: id('opr', 'The operator.'),
    email: text('Their address, and their name in the audit log.'),
    name: text('A display name.'),
    role: ROLE,
    ...BOUNDS,
    enabled: { type: 'boolean', description: 'Whether they have access.' },
    source: text('`local`, or the provider that keeps name, role and bounds up to date.'),
    created_at: time('When they were added.'),
    last_seen_at: optionalTime('The minute of their last request, known some minutes later; null if never.'),
    disabled_at: optionalTime('When they were disabled; null if they were not.'),
  }),
  OperatorList: pageOf('Operator', 'A page of operators, newest first.'),
};

const OPERATOR_EXAMPLE = {
  id: EXAMPLE_IDS.operator,
  email: 'grace@example.com',
  name: 'Grace Hopper',
  role: 'support',
  tenants: [EXAMPLE_IDS.tenant],
  environments: [],
  enabled: true,
  source: 'local',
  created_at: '2026-11-21T09:00:00.000Z',
  last_seen_at: null,
  disabled_at: null,
};

const OPERATOR: Named<OperatorRecord> = {
  name: 'operatorId',
  read: readOperator,
};

const create = withBody({
  method: 'post',
  path: OPERATORS_PATH,
  operationId: 'createOperator',
  scope: 'operators:admin',
  summary: 'Add an operator',
  description:
    'A person with a role, for the whole installation or for some tenants and environments. Nobody can give rights that ' +
    'they do not have themselves.',
  body: {
    schema: OPERATOR_BODY_SCHEMA,
    validate: validateOperator,
    examples: {
      everything: {
        summary: 'For the whole installation',
        value: { email: 'grace@example.com', name: 'Grace Hopper', role: 'admin' },
      },
      bounded: {
        summary: 'For one tenant',
        value: {
          email: 'joan@example.com',
          name: 'Joan Clarke',
          role: 'support',
          tenants: [EXAMPLE_IDS.tenant],
        },
      },
    },
  },
  success: { status: 201, schema: ref('Operator'), example: OPERATOR_EXAMPLE },
  errors: ['already_exists'],
  run: async (request, deps): Promise<Reply> => {
    const { body } = request;
    const { email, name, role } = body;
    return inTransaction(deps, async (tx) => {
      const caller = await lockCaller(tx, request);
      if ('refused' in caller) return caller;
      const rights = { role, ...toBounds(body) };
      const refusal = (await refuseUnknown(tx, rights)) ?? refuseBeyond(caller, await scopesOf(tx, rights));
      if (refusal) return refusal;
      const operator = await createOperator(tx, deps, { email, name, ...rights });
      return operator ? created(presentOperator(operator)) : alreadyExists('/email');
    });
  },
});

const list = listPage({
  path: OPERATORS_PATH,
  operationId: 'listOperators',
  scope: 'operators:admin',
  summary: 'List operators',
  description: 'All operators, newest first, including disabled ones.',
  read: listOperators,
  present: presentOperator,
  schema: ref('OperatorList'),
  example: OPERATOR_EXAMPLE,
});

const get = getOne({
  path: OPERATOR_PATH,
  operationId: 'getOperator',
  scope: 'operators:admin',
  summary: 'Read an operator',
  description: 'The operator with role and bounds.',
  of: OPERATOR,
  present: presentOperator,
  schema: ref('Operator'),
  example: OPERATOR_EXAMPLE,
});

const KEPT_BY_PROVIDER =
  'Name, role and bounds of this operator come from their provider: change them there.';

const update = withBody({
  method: 'patch',
  path: OPERATOR_PATH,
  operationId: 'updateOperator',
  scope: 'operators:admin',
  summary: 'Change an operator',
  description:
    'A JSON Merge Patch. It takes effect within a second, also for open sessions, tokens and streams. Of an operator whose ' +
    'rights come from a provider only `enabled` can be changed. While ADMIN_TOKEN is off, the last one who can manage ' +
    'operators keeps that right.',
  body: {
    schema: patchSchema(OPERATOR_FIELDS_SCHEMA),
    examples: {
      role: { summary: 'Another role', value: { role: 'developer' } },
      disable: { summary: 'Take away all access', value: { enabled: false } },
    },
  },
  success: {
    status: 200,
    schema: ref('Operator'),
    example: { ...OPERATOR_EXAMPLE, role: 'developer' },
  },
  errors: ['conflict'],
  run: async (request, deps): Promise<Reply> => {
    const { operatorId } = request.ids;
    return orRefusal(
      inTransaction(deps, (tx) =>
        keepingAdministrator(tx, deps.adminToken, async () => {
          const caller = await lockCaller(tx, request);
          if ('refused' in caller) return caller;
          const current = await lockOperator(tx, operatorId);
          if (!current) return refuse('operator_not_found');
          const patched = applyPatch(presentOperatorFields(current), request.body, validateFields);
          if (!('body' in patched)) return invalid(patched.issues);
          const { name, role, enabled = true } = patched.body;
          const next = { role, ...toBounds(patched.body) };
          const refusal =
            (await refuseUnknown(tx, next)) ??
            refuseBeyond(caller, [...(await scopesOf(tx, current)), ...(await scopesOf(tx, next))]);
          if (refusal) return refusal;
          if (
            current.source !== LOCAL_SOURCE &&
            Object.keys(request.body).some((field) => field !== 'enabled')
          )
            return refuse('conflict', { message: KEPT_BY_PROVIDER });
          return ok(presentOperator(await changeOperator(tx, deps, current, { ...next, name, enabled })));
        }),
      ),
    );
  },
});

export const OPERATORS: AdminResource = {
  tag: { name: 'Operators', description: 'Management: people who operate the installation.' },
  schemas: OPERATOR_SCHEMAS,
  operations: [create, list, get, update],
};
