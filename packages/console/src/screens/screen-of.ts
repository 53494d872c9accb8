import { path } from '../api/index.ts';

/** The screens of resources: their lists below an environment, or with a slash those of the installation. */
const LISTS = {
  channel: 'channels',
  consumer: 'consumers',
  template: 'templates',
  event_type: 'event-types',
  layout: 'parts/layouts',
  partial: 'parts/partials',
  translation: 'parts/translations',
  settings: 'settings',
  environment: 'overview',
  tenant: '/tenants',
  plan: '/plans',
  role: '/roles',
} as const;

/** They have no screens of their own. */
const ONLY_LISTED = ['settings', 'environment', 'plan', 'role'];

/** The screen of a resource, or the screen that it is listed in: without an id, and for one that has no screen of its own. */
export function screenOf(type: keyof typeof LISTS, environmentId: string | null, id?: string | null): string {
  const list = LISTS[type];
  const base = list.startsWith('/') ? list : `${path`/e/${environmentId}`}/${list}`;
  return id && !ONLY_LISTED.includes(type) ? base + path`/${id}` : base;
}
