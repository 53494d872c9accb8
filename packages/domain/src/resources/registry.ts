/**
 * The resources of the management API, in the order of its documentation. Derived from this list: the error codes
 * `<name>_not_found`, the prefixes of public ids, and the kinds of resource in the audit log. `idPrefix` is null for
 * a resource that is identified by a code or a key; `label` is its name in texts.
 */
export const MANAGED_RESOURCES = [
  { name: 'plan', idPrefix: null, label: 'plan' },
  { name: 'tenant', idPrefix: 'ten', label: 'tenant' },
  { name: 'environment', idPrefix: 'env', label: 'environment' },
  { name: 'token', idPrefix: 'tok', label: 'token' },
  { name: 'consumer', idPrefix: null, label: 'consumer' },
  { name: 'channel', idPrefix: 'chn', label: 'channel' },
  { name: 'template', idPrefix: 'tpl', label: 'template version' },
  { name: 'event_type', idPrefix: null, label: 'event type' },
  { name: 'layout', idPrefix: 'lay', label: 'layout version' },
  { name: 'partial', idPrefix: 'prt', label: 'partial version' },
  { name: 'translation', idPrefix: 'trn', label: 'translation version' },
  { name: 'replay_batch', idPrefix: 'rpb', label: 'bulk replay' },
  { name: 'erasure', idPrefix: 'era', label: 'erasure' },
  { name: 'suppression', idPrefix: 'sup', label: 'suppression' },
  { name: 'stream', idPrefix: null, label: 'stream' },
  { name: 'console_session', idPrefix: 'ses', label: 'console session' },
  { name: 'operator', idPrefix: 'opr', label: 'operator' },
  { name: 'operator_token', idPrefix: 'otk', label: 'operator token' },
  { name: 'role', idPrefix: null, label: 'role' },
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
