import { changeRole, createRole, deleteRole, listRoles, lockRole, MAX_ROLES, readRole } from '@postrider/db';
import {
  conflict,
  isBuiltInRole,
  PLAN_CODE_PATTERN,
  presentRole,
  ROLE_FIELDS,
  type Role,
  reject,
} from '@postrider/domain';
import { isCode } from '../../openapi/parameters.ts';
import * as json from '../../openapi/schema.ts';
import { compileBody } from '../../validation/body.ts';
import type { AdminResource } from '../operation.ts';
import { NAME_SCHEMA, patchSchema } from '../schemas.ts';
import { standardOperationsOf } from '../standard-operations.ts';
import { changeRights, requireRights, SCOPES_SCHEMA } from './rights.ts';

const ROLE_BODY_SCHEMA = json.closedObject(['code', 'name', 'scopes'], {
  code: {
    type: 'string',
    pattern: PLAN_CODE_PATTERN,
    description: 'Stable name that operators and tokens refer to; it cannot be changed.',
  },
  name: NAME_SCHEMA,
  scopes: SCOPES_SCHEMA,
});

const validateRole = compileBody<Role>(ROLE_BODY_SCHEMA);

const ROLE_SCHEMAS: json.Schemas = {
  Role: json.record('A named set of scopes.', ROLE_FIELDS),
  RoleList: json.pageOf('Role', 'A page of roles, by their code.'),
};

const EXAMPLE = {
  code: 'on-call',
  name: 'On call',
  scopes: ['messages:read', 'replays:write', 'channels:write'],
};
const ROLE_EXAMPLE = {
  ...EXAMPLE,
  created_at: '2026-11-21T09:00:00.000Z',
  updated_at: '2026-11-21T09:00:00.000Z',
};

const STANDARD = standardOperationsOf({
  name: 'Role',
  all: '/admin/v1/roles',
  one: '/admin/v1/roles/{roleCode}',
  scopes: ['operators:admin', 'operators:admin'],
  present: presentRole,
  example: ROLE_EXAMPLE,
});

const BUILT_IN = conflict('The role is built in: create another one.');

export const ROLES: AdminResource = {
  tag: { name: 'Roles', description: 'Management: named sets of scopes.' },
  schemas: ROLE_SCHEMAS,
  operations: [
    STANDARD.create({
      description: `A named set of scopes, at most ${MAX_ROLES} in an installation. Nobody can give scopes that they do not have.`,
      body: {
        schema: ROLE_BODY_SCHEMA,
        validate: validateRole,
        examples: { onCall: { summary: 'For people on call', value: EXAMPLE } },
      },
      errors: ['already_exists', 'conflict'],
      run: (request, deps) =>
        changeRights(request, deps, async (tx, caller) => {
          requireRights(caller, request.body.scopes);
          return presentRole(await createRole(tx, deps, request.body));
        }),
    }),
    STANDARD.list({
      description: 'The built-in roles and those of the installation, by their code.',
      orderedBy: isCode,
      read: listRoles,
    }),
    STANDARD.get({ description: 'The role with its scopes.', of: { name: 'roleCode', read: readRole } }),
    STANDARD.update({
      description:
        'A JSON Merge Patch. It takes effect for all operators and tokens with the role within a second. The code cannot be ' +
        'changed, and built-in roles cannot be changed at all.',
      body: {
        schema: patchSchema(ROLE_BODY_SCHEMA, ['code']),
        examples: { less: { summary: 'Other scopes', value: { scopes: ['messages:read'] } } },
      },
      changed: { scopes: ['messages:read'] },
      errors: ['conflict'],
      transact: async (request, deps, change) =>
        isBuiltInRole(request.ids.roleCode) ? reject(BUILT_IN) : changeRights(request, deps, change),
      lock: lockRole,
      fields: ({ code, name, scopes }) => ({ code, name, scopes: [...scopes] }),
      validate: validateRole,
      async change(tx, { current, body, access }, deps) {
        requireRights(access, [...current.scopes, ...body.scopes]);
        return changeRole(tx, deps, current, body);
      },
    }),
    STANDARD.remove({
      description: 'Deletes a role that no operator or valid token has.',
      errors: ['conflict'],
      run: async (request, deps) => {
        const { roleCode } = request.ids;
        if (isBuiltInRole(roleCode)) reject(BUILT_IN);
        return changeRights(request, deps, (tx) => deleteRole(tx, deps, roleCode));
      },
    }),
  ],
};
