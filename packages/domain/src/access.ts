/**
 * What callers may do: scopes of the form `area:action`, and roles, which are named sets of them. Operations declare the
 * scope that they need (docs/specification.md, "Operators, their tokens and roles").
 */
export const SCOPES = {
  'events:write': 'send events',
  'messages:read': 'find messages and their deliveries, with recipients masked and without content',
  'messages:content': 'see recipients, payloads and what was sent',
  'replays:write': 'replay messages, one by one and in bulk',
  'deliveries:cancel': 'cancel and reschedule deliveries',
  'channels:read': 'see channels, their health and what needs attention',
  'channels:write': 'create, change, test, pause and resume channels',
  'keyless:write': "let channels use the installation's access to AWS, and change such channels",
  'consumers:read': 'see consumers',
  'consumers:write': 'create, change and delete consumers',
  'portal-sessions:write': 'open the portal of a consumer with some of its own scopes',
  'event-types:read': 'see event types',
  'event-types:write': 'change event types',
  'templates:read': 'see templates, layouts, partials and translations',
  'templates:write': 'create and activate templates, layouts, partials and translations',
  'suppressions:read': 'see the suppression list',
  'suppressions:write': 'change the suppression list',
  'usage:read': 'see usage, limits and figures',
  'erasures:read': 'see erasures of recipients',
  'erasures:write': 'erase recipients',
  'tokens:read': 'see the tokens of environments',
  'tokens:write': 'issue, rotate and revoke tokens of environments',
  'tenants:read': 'see plans, tenants and environments',
  'tenants:admin': 'create and change plans, tenants and environments',
  'audit:read': 'read the audit log',
  'operators:admin': 'manage operators, their tokens and sessions, and roles',
  'installation:admin': 'see and re-encrypt the secrets of the installation',
} as const;

export type Scope = keyof typeof SCOPES;

export const ALL_SCOPES = Object.keys(SCOPES) as readonly Scope[];

/** What tokens of environments can have. The others concern more than one environment, or who has access to it. */
export const ENVIRONMENT_SCOPES = ALL_SCOPES.filter(
  (scope) => !/^(?:erasures|keyless|tokens|tenants|audit|operators|installation):/.test(scope),
);

/** What a token of a consumer can have, and has if it is issued without scopes. */
export const CONSUMER_SCOPES = [
  ...(['channels:read', 'channels:write', 'event-types:read', 'messages:read', 'messages:content'] as const),
  ...(['replays:write', 'deliveries:cancel', 'consumers:read'] as const),
] satisfies readonly Scope[];

/** What a token of an environment can have, with what it allows. The last one is a right that no operation needs. */
export const TOKEN_SCOPES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(ENVIRONMENT_SCOPES.map((scope) => [scope, SCOPES[scope]])),
  ignore_suppression: 'send email to addresses on the suppression list',
};

/** What a token of an environment may do if it was issued without a scope of this form, as all were before 0.2. */
export const DEFAULT_TOKEN_SCOPES: readonly Scope[] = [
  'events:write',
  'messages:read',
  'messages:content',
  'replays:write',
  'deliveries:cancel',
  'usage:read',
];

/**
 * What a token with these stored scopes may do. The stored ones are those that it was issued with: the release before
 * issues none of the form `area:action`.
 */
export function tokenScopes(stored: readonly string[]): readonly string[] {
  return stored.some((scope) => scope.includes(':')) ? stored : [...DEFAULT_TOKEN_SCOPES, ...stored];
}

const READS: readonly Scope[] = [
  ...(['messages:read', 'channels:read', 'consumers:read'] as const),
  ...(['event-types:read', 'templates:read'] as const),
];

/** The roles of every installation, which nobody can change. */
export const BUILT_IN_ROLES = {
  viewer: [...READS, 'suppressions:read', 'usage:read', 'tenants:read'],
  support: [
    ...READS,
    'messages:content',
    'suppressions:write',
    'usage:read',
    'tenants:read',
    'replays:write',
    'deliveries:cancel',
  ],
  developer: [...ENVIRONMENT_SCOPES, 'tokens:read', 'tenants:read'],
  admin: ALL_SCOPES,
} as const satisfies Record<string, readonly Scope[]>;
export type BuiltInRole = keyof typeof BUILT_IN_ROLES;

/** These scopes, and the `read` of each of their areas, which every action of an area includes. */
export function withReads(scopes: Iterable<string>): ReadonlySet<string> {
  const all = new Set(scopes);
  for (const scope of [...all]) {
    const [area, action] = scope.split(':', 2);
    if (action !== undefined) all.add(`${area}:read`);
  }
  return all;
}
