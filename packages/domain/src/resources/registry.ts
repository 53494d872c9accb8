import { CONFIGURATION_RESOURCES } from './configuration.ts';
import { CONSUMER_RESOURCES } from './consumers.ts';
import { OPERATION_RESOURCES } from './operations.ts';
import { OPERATOR_RESOURCES } from './operators.ts';
import { PART_RESOURCES } from './parts.ts';
import { SUPPRESSION_RESOURCES } from './suppressions.ts';
import { CONSOLE_RESOURCES, TENANT_RESOURCES } from './tenants.ts';

/**
 * The resources of the management API, in the order of its documentation. Derived from this list: the error codes
 * `<name>_not_found`, the prefixes of public ids, and the kinds of resource in the audit log. `idPrefix` is null for
 * a resource that is identified by a code or a key; `label` is its name in texts.
 */
export const MANAGED_RESOURCES = [
  ...TENANT_RESOURCES,
  ...CONSUMER_RESOURCES,
  ...CONFIGURATION_RESOURCES,
  ...PART_RESOURCES,
  ...OPERATION_RESOURCES,
  ...SUPPRESSION_RESOURCES,
  ...CONSOLE_RESOURCES,
  ...OPERATOR_RESOURCES,
] as const;

type ManagedResource = (typeof MANAGED_RESOURCES)[number];
export type ManagedResourceName = ManagedResource['name'];
type ManagedIdPrefix = Exclude<ManagedResource['idPrefix'], null>;
export type NotFoundCode = `${ManagedResourceName}_not_found`;

export const MANAGED_RESOURCE_NAMES: readonly ManagedResourceName[] = MANAGED_RESOURCES.map(
  ({ name }) => name,
);

export type IdPrefix = 'msg' | 'run' | 'att' | ManagedIdPrefix | 'aud';

/** The prefixes of public ids; `aud` is an entry of the audit log (docs/specification.md, "Ids"). */
export const ID_PREFIXES: readonly IdPrefix[] = [
  ...(['msg', 'run', 'att'] as const),
  ...MANAGED_RESOURCES.flatMap(({ idPrefix }) => idPrefix ?? []),
  'aud',
];

/** The code of a managed resource's 404. */
export function notFoundCode(name: ManagedResourceName): NotFoundCode {
  return `${name}_not_found`;
}
