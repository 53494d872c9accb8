import { CONFIGURATION_RESOURCES } from './configuration.ts';
import { CONSOLE_RESOURCES } from './console.ts';
import { OPERATION_RESOURCES } from './operations.ts';
import { PART_RESOURCES } from './parts.ts';
import { SUPPRESSION_RESOURCES } from './suppressions.ts';
import { TENANT_RESOURCES } from './tenants.ts';

/**
 * What the management API manages, in the order of its page. From this list follow the error code `<name>_not_found`,
 * the prefix of the public id, and the kinds of resource in the audit log. `idPrefix` is null for a resource that is
 * named by a code or a key; `label` is what texts call it.
 */
export const MANAGED_RESOURCES = [
  ...TENANT_RESOURCES,
  ...CONFIGURATION_RESOURCES,
  ...PART_RESOURCES,
  ...OPERATION_RESOURCES,
  ...SUPPRESSION_RESOURCES,
  ...CONSOLE_RESOURCES,
] as const;

type ManagedResource = (typeof MANAGED_RESOURCES)[number];
export type ManagedResourceName = ManagedResource['name'];
type ManagedIdPrefix = Exclude<ManagedResource['idPrefix'], null>;
export type NotFoundCode = `${ManagedResourceName}_not_found`;

export const MANAGED_RESOURCE_NAMES: readonly ManagedResourceName[] = MANAGED_RESOURCES.map(
  ({ name }) => name,
);

export type IdPrefix = 'msg' | 'run' | 'att' | ManagedIdPrefix | 'aud';

/** The prefixes of public ids; `aud` is that of an entry of the audit log. See docs/specification.md, "Ids". */
export const ID_PREFIXES: readonly IdPrefix[] = [
  ...(['msg', 'run', 'att'] as const),
  ...MANAGED_RESOURCES.flatMap(({ idPrefix }) => idPrefix ?? []),
  'aud',
];

/** The code of the 404 for a managed resource. */
export function notFoundCode(name: ManagedResourceName): NotFoundCode {
  return `${name}_not_found`;
}
