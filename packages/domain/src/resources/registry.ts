/**
 * What the management API manages, in the order of its page. From this list follow the error code `<name>_not_found`,
 * the prefix of the public id, and the kinds of resource in the audit log. `idPrefix` is null for a resource that is
 * named by a code or a key; `label` is what texts call it.
 */
export const MANAGED_RESOURCES = [
  { name: 'plan', idPrefix: null, label: 'plan' },
  { name: 'tenant', idPrefix: 'ten', label: 'tenant' },
  { name: 'environment', idPrefix: 'env', label: 'environment' },
  { name: 'token', idPrefix: 'tok', label: 'token' },
  { name: 'channel', idPrefix: 'chn', label: 'channel' },
  { name: 'template', idPrefix: 'tpl', label: 'template version' },
  { name: 'event_type', idPrefix: null, label: 'event type' },
  { name: 'replay_batch', idPrefix: 'rpb', label: 'bulk replay' },
  { name: 'erasure', idPrefix: 'era', label: 'erasure' },
] as const;

type ManagedResource = (typeof MANAGED_RESOURCES)[number];
export type ManagedResourceName = ManagedResource['name'];
export type ManagedIdPrefix = Exclude<ManagedResource['idPrefix'], null>;
export type NotFoundCode = `${ManagedResourceName}_not_found`;

export const MANAGED_RESOURCE_NAMES: readonly ManagedResourceName[] = MANAGED_RESOURCES.map(
  ({ name }) => name,
);

/** The prefixes of those that have ids. */
export const MANAGED_ID_PREFIXES: readonly ManagedIdPrefix[] = MANAGED_RESOURCES.flatMap(
  ({ idPrefix }) => idPrefix ?? [],
);

/** The code of the 404 for a managed resource. */
export function notFoundCode(name: ManagedResourceName): NotFoundCode {
  return `${name}_not_found`;
}
