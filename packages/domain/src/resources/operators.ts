import { BUILT_IN_ROLES, type BuiltInRole } from '../access.ts';
import * as json from '../fields.ts';
import { TOKEN_HINT_FIELDS, TOKEN_TIMES } from './tenants.ts';

/** The tenants and environments, by their UUIDs, that an operator or a token sees; if it is not `bounded`, all. */
export interface BoundsRecord {
  readonly bounded: boolean;
  readonly tenantIds: readonly string[];
  readonly environmentIds: readonly string[];
}

const BOUNDS_FIELDS = {
  tenants: json.nullable(
    json.list(json.id('ten', 'A tenant.'), 'The visible tenants with their environments; null: all.'),
  ),
  environments: json.nullable(
    json.list(json.id('env', 'An environment.'), 'Further visible environments; null: all.'),
  ),
};

/** Bounds as the API shows them: null for none. */
const visible = ({ bounded, tenantIds, environmentIds }: BoundsRecord) => ({
  tenants: bounded ? tenantIds : null,
  environments: bounded ? environmentIds : null,
});

const ROLE = json.text('The code of its role.');

/** A name in the audit log. */
export const ACTOR_NAME_PATTERN = '^[\\x21-\\x7e]{1,128}$';

/** The fields of an operator that an administrator changes. */
const OPERATOR_SETTINGS = {
  name: json.text('A display name.'),
  role: ROLE,
  ...BOUNDS_FIELDS,
  enabled: json.flag('Whether they have access.'),
};
/** The fields of a person who operates the installation. */
export const OPERATOR_FIELDS = {
  id: json.id('opr', 'The operator.'),
  email: json.text('Their address, and their name in the audit log.'),
  ...OPERATOR_SETTINGS,
  // LOCAL_SOURCE, or that of the provider.
  source: json.text('`local`, or the provider that keeps name, role and bounds up to date.'),
  created_at: json.time('When they were added.'),
  last_seen_at: json.optionalTime(
    'The minute of their last request, known some minutes later; null if never.',
  ),
  disabled_at: json.optionalTime('When they were disabled; null if they were not.'),
};

export type OperatorRecord = Omit<
  json.RecordOf<typeof OPERATOR_FIELDS>,
  'enabled' | keyof typeof BOUNDS_FIELDS
> &
  BoundsRecord;
/** What an administrator sets of an operator. */
export type OperatorInput = Pick<OperatorRecord, 'email' | 'name' | 'role' | keyof BoundsRecord>;

/** The source of operators that administrators created. */
export const LOCAL_SOURCE = 'local';

const presentedOperator = (operator: OperatorRecord) => ({
  ...operator,
  ...visible(operator),
  enabled: operator.disabledAt === null,
});
const presentSettings = json.presenterOf(OPERATOR_SETTINGS);
const presentAll = json.presenterOf(OPERATOR_FIELDS, 'opr');

/** The fields of an operator that an administrator changes, in the API's form. */
export const presentOperatorFields = (operator: OperatorRecord) =>
  presentSettings(presentedOperator(operator));

/** An operator as the API and the audit log show it. */
export const presentOperator = (operator: OperatorRecord) => presentAll(presentedOperator(operator));

/**
 * The fields of a token for the management API, without its secret. With an operator its rights are the operator's current ones, cut
 * by its own.
 */
export const OPERATOR_TOKEN_FIELDS = {
  id: json.id('otk', 'The token.'),
  name: json.text('Its name in the audit log.'),
  ...TOKEN_HINT_FIELDS,
  operator_id: json.nullable(json.id('opr', 'The operator whose rights it has; null for a machine.')),
  role: json.nullable(ROLE),
  scopes: json.list(
    json.text('A scope.'),
    'Its scopes; empty if it has a role, or all rights of its operator.',
  ),
  ...BOUNDS_FIELDS,
  ...TOKEN_TIMES,
};
export type OperatorTokenRecord = Omit<
  json.RecordOf<typeof OPERATOR_TOKEN_FIELDS>,
  keyof typeof BOUNDS_FIELDS
> &
  BoundsRecord;

const presentToken = json.presenterOf(OPERATOR_TOKEN_FIELDS, 'otk');
/** A token as the API and the audit log show it. */
export const presentOperatorToken = (token: OperatorTokenRecord) =>
  presentToken({ ...token, ...visible(token) });

const ROLE_SETTINGS = {
  code: json.text('Its stable code.'),
  name: json.text('A display name.'),
  // A newer release may have stored others than this one knows.
  scopes: json.list(json.text('A scope.'), 'What operators and tokens with the role may do.'),
};
/** The fields of a role of the installation, or of a built-in one, which has no times. */
export const ROLE_FIELDS = {
  ...ROLE_SETTINGS,
  built_in: json.flag('Whether every installation has it, and nobody can change it.'),
  created_at: json.optionalTime('When it was created; null for a built-in role.'),
  updated_at: json.optionalTime('When it was last changed; null for a built-in role.'),
};
export type Role = json.RecordOf<typeof ROLE_SETTINGS>;
export type RoleRecord = Omit<json.RecordOf<typeof ROLE_FIELDS>, 'builtIn'>;

const NAMES: Readonly<Record<BuiltInRole, string>> = {
  viewer: 'Viewer',
  support: 'Support',
  developer: 'Developer',
  admin: 'Administrator',
};

export const BUILT_IN_ROLE_RECORDS: readonly RoleRecord[] = Object.entries(BUILT_IN_ROLES).map(
  ([code, scopes]) => ({ code, name: NAMES[code as BuiltInRole], scopes, createdAt: null, updatedAt: null }),
);

export function isBuiltInRole(code: string): code is BuiltInRole {
  return Object.hasOwn(BUILT_IN_ROLES, code);
}

const presentRecord = json.presenterOf(ROLE_FIELDS);
/** A role as the API and the audit log show it. */
export const presentRole = (role: RoleRecord) =>
  presentRecord({ ...role, builtIn: isBuiltInRole(role.code) });
