/** What the screens of `screensOf` show. */
export interface Shown {
  readonly environmentId: string;
  readonly tenantId: string;
  readonly messageId: string;
  readonly templateId: string;
  readonly channelId: string;
  readonly layoutId: string;
  readonly eventKey: string;
}

/** A screen: its address, and a text that only it shows when it is complete. */
export type ShownScreen = readonly [path: string, shows: string];

/** Every screen of an operator. */
export const screensOf = (shown: Shown): readonly ShownScreen[] => {
  const { environmentId: env, tenantId, messageId, templateId, channelId, layoutId, eventKey } = shown;
  return [
    ['/overview', 'In all environments, worst first'],
    [`/e/${env}/overview`, 'The last 24 hours'],
    [`/e/${env}/messages`, 'All accepted events'],
    [`/e/${env}/messages/${messageId}`, 'Attempt 1: failed'],
    [`/e/${env}/send`, 'Send and follow'],
    [`/e/${env}/channels`, 'Where events of this environment'],
    [`/e/${env}/channels/new`, 'Deliver to'],
    [`/e/${env}/channels/${channelId}`, 'Attempts by hour'],
    [`/e/${env}/consumers`, 'Your customers that have channels'],
    [`/e/${env}/templates`, 'What emails and webhooks say'],
    [`/e/${env}/templates/${templateId}`, 'Version 2'],
    [`/e/${env}/parts/layouts`, 'The frame around templates'],
    [`/e/${env}/parts/layouts/${layoutId}`, 'Roll back'],
    [`/e/${env}/parts/translations/new`, 'Messages (ICU'],
    [`/e/${env}/event-types`, 'What event keys mean'],
    [`/e/${env}/event-types/${eventKey}`, 'Used by'],
    [`/e/${env}/suppressions`, 'Addresses that get no email'],
    [`/e/${env}/settings`, 'What happens to events'],
    [`/e/${env}/replays`, 'New bulk replay'],
    [`/e/${env}/tokens`, 'Clients of this environment'],
    [`/e/${env}/erasures`, 'Removes what is stored'],
    [`/e/${env}/usage`, 'By calendar month'],
    ['/tenants', 'The customers of this installation'],
    [`/tenants/${tenantId}`, 'Plan and billing'],
    ['/plans', 'What tenants may use'],
    ['/audit-log', 'All configuration changes'],
    ['/operators', 'People who operate this installation'],
    ['/operator-tokens', 'Machines, and the command lines'],
    ['/roles', 'Named sets of scopes'],
    ['/sessions', 'Who is signed in'],
    ['/lookup?q=ada@example.com', 'Results for'],
  ];
};
