const PREFIX = 'postrider.draft.';

/** The key of a draft in the storage of this browser tab. */
export const draftKey = (user: string, name: string): string => `${PREFIX}${user}.${name}`;

/** Removes all drafts: the next user of this browser tab may be another person. */
export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
}
