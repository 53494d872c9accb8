declare const made: unique symbol;

/** The key of a query. Only `keys` makes them, so that a change can find every query that shows it. */
export type Key = readonly unknown[] & { readonly [made]: true };

declare module '@tanstack/react-query' {
  interface Register {
    queryKey: Key;
  }
}

const keyOf = (...parts: readonly unknown[]) => parts as Key;

/** The key of a query about the whole installation, or this browser. */
const ofInstallation =
  (subject: string) =>
  (...which: readonly unknown[]): Key =>
    keyOf(subject, ...which);

/** The key of a query about one environment. */
const ofEnvironment =
  (subject: string) =>
  (environmentId: string | undefined, ...which: readonly unknown[]): Key =>
    keyOf(subject, environmentId, ...which);

/** The keys of all queries, by what they read. A change reads every query again whose key begins with the given one. */
export const keys = {
  attention: ofEnvironment('attention'),
  attentionEverywhere: ofInstallation('attention'),
  auditChain: ofInstallation('audit-chain'),
  auditLog: ofInstallation('audit-log'),
  blockedKeys: ofEnvironment('blocked-keys'),
  channels: ofEnvironment('channels'),
  code: ofInstallation('code'),
  consumers: ofEnvironment('consumers'),
  content: ofInstallation('content'),
  drafts: ofEnvironment('drafts'),
  drift: ofEnvironment('drift'),
  environmentNames: ofEnvironment('environment-names'),
  environments: ofInstallation('environments'),
  environmentSettings: ofEnvironment('environment-settings'),
  erasures: ofEnvironment('erasures'),
  eventTypes: ofEnvironment('event-types'),
  examples: ofEnvironment('examples'),
  links: ofInstallation('links'),
  lookup: ofInstallation('lookup'),
  message: ofEnvironment('message'),
  messages: ofEnvironment('messages'),
  operators: ofInstallation('operators'),
  operatorTokens: ofInstallation('operator-tokens'),
  parts: ofEnvironment('parts'),
  pausedStreams: ofEnvironment('paused-streams'),
  plans: ofInstallation('plans'),
  providers: ofInstallation('providers'),
  replays: ofEnvironment('replays'),
  roles: ofInstallation('roles'),
  session: ofInstallation('session'),
  sessions: ofInstallation('sessions'),
  start: ofInstallation('start'),
  stats: ofEnvironment('stats'),
  suppressions: ofEnvironment('suppressions'),
  templates: ofEnvironment('templates'),
  tenants: ofInstallation('tenants'),
  tokens: ofEnvironment('tokens'),
  usage: ofInstallation('usage'),
} as const;
