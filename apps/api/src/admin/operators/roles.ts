import {
  changeRole,
  createRole,
  deleteRole,
  inTransaction,
  listRoles,
  lockRole,
  MAX_ROLES,
  readRole,
} from '@postrider/db';
import { isBuiltInRole, presentRole, type Role, type RoleRecord } from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import { alreadyExists, created, noContent, ok, type Reply, refuse } from '../../http/reply.ts';
import { isCode } from '../../openapi/parameters.ts';
import {
  list as listOf,
  optionalTime,
  pageOf,
  record,
  ref,
  type Schema,
  text,
} from '../../openapi/schema.ts';
import { compileBody, invalid, PLAN_CODE_PATTERN } from '../../validation/body.ts';
import { type AdminResource, getOne, listPage, type Named, withBody, withoutBody } from '../operation.ts';
import { applyPatch, NAME_SCHEMA, patchSchema } from '../schemas.ts';
import { keepingAdministrator, lockCaller, orRefusal, refuseBeyond, SCOPES_SCHEMA } from './rights.ts';

const ROLES_PATH = '/admin/v1/roles';
const ROLE_PATH = `${ROLES_PATH}/{roleCode}` as const;

const ROLE_BODY_SCHEMA = {
  type: 'object',
  required: ['code', 'name', 'scopes'],
  additionalProperties: false,
  properties: {
    code: {
      type: 'string',
      pattern: PLAN_CODE_PATTERN,
      description: 'Stable name that operators and tokens refer to; it cannot be changed.',
    },
    name: NAME_SCHEMA,
    scopes: SCOPES_SCHEMA,
  },
} as const satisfies SchemaObject;

const validateRole = compileBody<Role>(ROLE_BODY_SCHEMA);

const ROLE_SCHEMAS: Readonly<Record<string, Schema>> = {
  Role: record('A named set of scopes.', {
    code: text('Its stable code.'),
    name: text('A display name.'),
    scopes: listOf(text('A scope.'), 'What operators and tokens with the role may do.'),
    built_in: {
      type: 'boolean',
      description: 'Whether every installation has it, and nobody can change it.',
    },
    created_at: optionalTime('When it was created; null for a built-in role.'),
    updated_at: optionalTime('When it was last changed; null for a built-in role.'),
  }),
  RoleList: pageOf('Role', 'A page of roles, by their code.'),
};

const BODY_EXAMPLE = {
  code: 'on-call',
  name: 'On call',
  scopes: ['messages:read', 'replays:write', 'channels:write'],
};
const ROLE_EXAMPLE = {
  ...BODY_EXAMPLE,
  built_in: false,
  created_at: '2026-11-21T09:00:00.000Z',
  updated_at: '2026-11-21T09:00:00.000Z',
};

const ROLE: Named<RoleRecord> = { name: 'roleCode', read: readRole };

const BUILT_IN = refuse('conflict', { message: 'The role is built in: create another one.' });

const create = withBody({
  method: 'post',
  path: ROLES_PATH,
  operationId: 'createRole',
  scope: 'operators:admin',
  summary: 'Create a role',
  description: `A named set of scopes, at most ${MAX_ROLES} in an installation. Nobody can give scopes that they do not have.`,
  body: {
    schema: ROLE_BODY_SCHEMA,
    validate: validateRole,
    examples: { onCall: { summary: 'For people on call', value: BODY_EXAMPLE } },
  },
  success: { status: 201, schema: ref('Role'), example: ROLE_EXAMPLE },
  errors: ['already_exists', 'conflict'],
  run: async (request, deps): Promise<Reply> => {
    const { body } = request;
    const stored = await inTransaction(deps, async (tx) => {
      const caller = await lockCaller(tx, request);
      if ('refused' in caller) return caller;
      return refuseBeyond(caller, body.scopes) ?? createRole(tx, deps, body);
    });
    if ('refused' in stored) return stored;
    switch (stored.outcome) {
      case 'created':
        return created(presentRole(stored.role));
      case 'already_exists':
        return alreadyExists('/code');
      case 'too_many':
        return refuse('conflict', { message: `There are ${MAX_ROLES} roles already: delete one first.` });
    }
  },
});

const list = listPage({
  path: ROLES_PATH,
  operationId: 'listRoles',
  scope: 'operators:admin',
  summary: 'List roles',
  description: 'The built-in roles and those of the installation, by their code.',
  orderedBy: isCode,
  read: listRoles,
  present: presentRole,
  schema: ref('RoleList'),
  example: ROLE_EXAMPLE,
});

const get = getOne({
  path: ROLE_PATH,
  operationId: 'getRole',
  scope: 'operators:admin',
  summary: 'Read a role',
  description: 'The role with its scopes.',
  of: ROLE,
  present: presentRole,
  schema: ref('Role'),
  example: ROLE_EXAMPLE,
});

const update = withBody({
  method: 'patch',
  path: ROLE_PATH,
  operationId: 'updateRole',
  scope: 'operators:admin',
  summary: 'Change a role',
  description:
    'A JSON Merge Patch. It takes effect for all operators and tokens with the role within a second. The code cannot be ' +
    'changed, and built-in roles cannot be changed at all.',
  body: {
    schema: patchSchema(ROLE_BODY_SCHEMA, ['code']),
    examples: { less: { summary: 'Other scopes', value: { scopes: ['messages:read'] } } },
  },
  success: { status: 200, schema: ref('Role'), example: { ...ROLE_EXAMPLE, scopes: ['messages:read'] } },
  errors: ['conflict'],
  run: async (request, deps): Promise<Reply> => {
    const { roleCode: code } = request.ids;
    if (isBuiltInRole(code)) return BUILT_IN;
    const { body } = request;
    return orRefusal(
      inTransaction(deps, (tx) =>
        keepingAdministrator(tx, deps.adminToken, async () => {
          const caller = await lockCaller(tx, request);
          if ('refused' in caller) return caller;
          const current = await lockRole(tx, code);
          if (!current) return refuse('role_not_found');
          const { name, scopes } = current;
          const patched = applyPatch({ code, name, scopes: [...scopes] }, body, validateRole);
          if (!('body' in patched)) return invalid(patched.issues);
          const beyond = refuseBeyond(caller, [...scopes, ...patched.body.scopes]);
          if (beyond) return beyond;
          return ok(presentRole(await changeRole(tx, deps, current, patched.body)));
        }),
      ),
    );
  },
});

const remove = withoutBody({
  method: 'delete',
  path: ROLE_PATH,
  operationId: 'deleteRole',
  scope: 'operators:admin',
  summary: 'Delete a role',
  description: 'Deletes a role that no operator and no valid token has.',
  success: { status: 204 },
  errors: ['conflict'],
  run: async (request, deps): Promise<Reply> => {
    const { roleCode: code } = request.ids;
    const outcome = await inTransaction(deps, async (tx) => {
      const caller = await lockCaller(tx, request);
      return 'refused' in caller ? caller : deleteRole(tx, deps, code);
    });
    if (typeof outcome === 'object') return outcome;
    switch (outcome) {
      case 'deleted':
        return noContent();
      case 'not_found':
        return refuse('role_not_found');
      case 'built_in':
        return BUILT_IN;
      case 'in_use':
        return refuse('conflict', {
          message: 'Operators or tokens have this role: give them another one first.',
        });
    }
  },
});

export const ROLES: AdminResource = {
  tag: { name: 'Roles', description: 'Management: named sets of scopes.' },
  schemas: ROLE_SCHEMAS,
  operations: [create, list, get, update, remove],
};
