import {
  changeOperator,
  createOperator,
  listOperators,
  lockOperator,
  readOperator,
  requireKnown,
} from '@postrider/db';
import {
  conflict,
  type Detail,
  LOCAL_SOURCE,
  OPERATOR_FIELDS,
  presentOperator,
  presentOperatorFields,
  reject,
  toBareAddress,
} from '@postrider/domain';
import { EXAMPLE_IDS } from '../../openapi/examples.ts';
import * as json from '../../openapi/schema.ts';
import { compileBody, withRules } from '../../validation/body.ts';
import { isActorName } from '../authenticate.ts';
import type { AdminResource } from '../operation.ts';
import { NAME_SCHEMA, patchSchema } from '../schemas.ts';
import { standardOperationsOf } from '../standard-operations.ts';
import { BOUNDS_SCHEMAS, changeRights, ROLE_SCHEMA, requireRights, scopesOf, toBounds } from './rights.ts';

const FIELDS = {
  name: NAME_SCHEMA,
  role: ROLE_SCHEMA,
  ...BOUNDS_SCHEMAS,
} as const;

const OPERATOR_BODY_SCHEMA = json.closedObject(['email', 'name', 'role'], {
  email: {
    type: 'string',
    maxLength: 128,
    description:
      'Their address, by which they sign in, and their name in the audit log. It cannot be changed.',
  },
  ...FIELDS,
});

const OPERATOR_FIELDS_SCHEMA = json.closedObject(['name', 'role'], {
  ...FIELDS,
  enabled: json.option(true, 'A disabled operator has no access, and their sessions and tokens are refused.'),
});

type OperatorBody = json.BodyOf<typeof OPERATOR_BODY_SCHEMA>;

/** The address is also the name in the audit log. */
const isOperatorEmail = (text: string) => toBareAddress(text) === text && isActorName(text);

function emailIssues({ email }: OperatorBody): Detail[] {
  if (isOperatorEmail(email)) return [];
  return [{ path: '/email', code: 'invalid_format', message: 'must be one bare email address in ASCII' }];
}

const validateOperator = withRules(compileBody<OperatorBody>(OPERATOR_BODY_SCHEMA), [
  { reads: ['/email'], issuesOf: emailIssues },
]);
const validateFields = compileBody<json.BodyOf<typeof OPERATOR_FIELDS_SCHEMA>>(OPERATOR_FIELDS_SCHEMA);

const OPERATOR_SCHEMAS: json.Schemas = {
  Operator: json.record('A person who operates the installation.', OPERATOR_FIELDS),
  OperatorList: json.pageOf('Operator', 'A page of operators, newest first.'),
};

const OPERATOR_EXAMPLE = {
  email: 'grace@example.com',
  name: 'Grace Hopper',
  role: 'support',
  tenants: [EXAMPLE_IDS.tenant],
  environments: [],
  enabled: true,
  source: 'local',
};

const STANDARD = standardOperationsOf({
  name: 'Operator',
  all: '/admin/v1/operators',
  one: '/admin/v1/operators/{operatorId}',
  scopes: ['operators:admin', 'operators:admin'],
  present: presentOperator,
  example: OPERATOR_EXAMPLE,
});

const KEPT_BY_PROVIDER = conflict(
  'The name, role and bounds of this operator come from their provider: change them there.',
);

export const OPERATORS: AdminResource = {
  tag: { name: 'Operators', description: 'Management: people who operate the installation.' },
  schemas: OPERATOR_SCHEMAS,
  operations: [
    STANDARD.create({
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
      errors: ['already_exists'],
      run: (request, deps) =>
        changeRights(request, deps, async (tx, caller) => {
          const { email, name, role } = request.body;
          const rights = { role, ...toBounds(request.body) };
          await requireKnown(tx, rights);
          requireRights(caller, await scopesOf(tx, rights));
          return presentOperator(await createOperator(tx, deps, { email, name, ...rights }));
        }),
    }),
    STANDARD.list({
      description: 'All operators, newest first, including disabled ones.',
      read: listOperators,
    }),
    STANDARD.get({
      description: 'The operator with role and bounds.',
      of: { name: 'operatorId', read: readOperator },
    }),
    STANDARD.update({
      description:
        'A JSON Merge Patch. It takes effect within a second, including for open sessions, tokens and streams. For ' +
        'an operator whose rights come from a provider, only `enabled` can be changed. While ADMIN_TOKEN is off, ' +
        'the last one who can manage operators keeps that right.',
      body: {
        schema: patchSchema(OPERATOR_FIELDS_SCHEMA),
        examples: {
          role: { summary: 'Another role', value: { role: 'developer' } },
          disable: { summary: 'Take away all access', value: { enabled: false } },
        },
      },
      changed: { role: 'developer' },
      errors: ['conflict'],
      transact: changeRights,
      lock: lockOperator,
      fields: presentOperatorFields,
      validate: validateFields,
      async change(tx, { current, body, patch, access }, deps) {
        const { name, role, enabled = true } = body;
        const next = { role, ...toBounds(body) };
        await requireKnown(tx, next);
        requireRights(access, [...(await scopesOf(tx, current)), ...(await scopesOf(tx, next))]);
        const isKept = current.source !== LOCAL_SOURCE;
        if (isKept && Object.keys(patch).some((field) => field !== 'enabled')) reject(KEPT_BY_PROVIDER);
        return changeOperator(tx, deps, current, { ...next, name, enabled });
      },
    }),
  ],
};
