import { isDeepStrictEqual } from 'node:util';
import { type ChannelRegistry, refusedEndpoints } from '@postrider/channels';
import type { ChannelChange, ChannelInput } from '@postrider/db';
import {
  type AddressPolicy,
  CHANNEL_DEFAULTS,
  type ChannelOptions,
  type ChannelRecord,
  type ChannelTarget,
  type CredentialChanges,
  createAddressPolicy,
  type Detail,
  failurePolicyOf,
  invalid,
  invalidValue,
  type JsonObject,
  MAX_IN_FLIGHT_OF_LISTENER,
  parseFields,
  readsConsumer,
  reject,
} from '@postrider/domain';
import type { AdminDeps, AdminRequest } from '../operation.ts';
import { applyPatch } from '../schemas.ts';
import { type ChannelBody, channelValidator, credentialChange, toChannelBody, toTarget } from './schema.ts';

type InputDeps = Pick<AdminDeps, 'kinds' | 'isAddressAllowed'>;
type CallerRights = Pick<AdminRequest, 'isOutsider' | 'consumerId' | 'scopes' | 'bounds'>;
type Given<Body> = CallerRights & { readonly body: Body };

/** The channel that a request would create, or to which it would change `current`. */
interface Proposed {
  readonly body: ChannelBody;
  readonly target: ChannelTarget;
  /** The consumer to which the channel belongs. */
  readonly consumerId: string | null;
  readonly current: ChannelRecord | null;
}

/** The addresses that channels of tokens may connect to. */
const isPublicAddress: AddressPolicy = createAddressPolicy([]);

const endpointsOf = (kinds: ChannelRegistry, { kind, config }: Pick<ChannelTarget, 'kind' | 'config'>) =>
  kinds.get(kind).config.endpointsOf?.(config) ?? {};

/** Whether the config of a patch has every field with an address of the resulting channel. */
function givesAddresses(
  kinds: ChannelRegistry,
  target: ChannelTarget,
  given: JsonObject | undefined,
): boolean {
  const fields = Object.keys(endpointsOf(kinds, target)).map((path) => path.split('/')[1] ?? '');
  return fields.every((field) => Object.hasOwn(given ?? {}, field));
}

/**
 * Issues of literal addresses in a config that the policy refuses. What the current config has stays allowed, so that a channel
 * from before EGRESS_ALLOW_CIDRS was changed can still be renamed or disabled.
 */
function addressIssues(
  { kinds, isAddressAllowed }: InputDeps,
  { target, current }: Proposed,
  { isOutsider }: CallerRights,
): Detail[] {
  const before = new Set(Object.values(current === null ? {} : endpointsOf(kinds, current)));
  const added = Object.entries(endpointsOf(kinds, target)).filter(([, endpoint]) => !before.has(endpoint));
  const refused = refusedEndpoints(
    Object.fromEntries(added),
    isOutsider ? isPublicAddress : isAddressAllowed,
  );
  return refused.map(({ path, message }) => invalidValue(`/config${path}`, message));
}

/** The issues of settings that only an operator chooses, and only for the environment's own channels. */
function operatorsSettings(
  { body: { operational, operational_email }, consumerId }: Proposed,
  { isOutsider }: CallerRights,
): Detail[] {
  if (!isOutsider && consumerId === null) return [];
  const given = { operational, operational_email };
  const message =
    consumerId === null ? 'can only be set by an operator' : 'cannot be set for a channel of a consumer';
  return Object.entries(given).flatMap(([name, value]): Detail[] =>
    value ? [invalidValue(`/${name}`, message)] : [],
  );
}

/**
 * The issue of a filter by which the caller of a consumer would find out its attributes, which are the tenant's: from what is delivered
 * or skipped. A filter that somebody else gave the channel can stay.
 */
function filterOfConsumer(
  { body: { filter = null }, current }: Proposed,
  { consumerId }: CallerRights,
): Detail[] {
  if (consumerId === null || filter === null || !readsConsumer(filter)) return [];
  if (isDeepStrictEqual(filter, current?.filter)) return [];
  const message = "cannot compare the consumer when set with a consumer's token";
  return [invalidValue('/filter', message)];
}

/** The changes and issues of the credentials of a new channel. */
export const newCredentials = (kinds: ChannelRegistry, body: ChannelBody) =>
  credentialChange(kinds, null, { given: body.config, target: toTarget(kinds, body) });

/** Whether a listener takes the deliveries of a channel. */
const isListener = (kinds: ChannelRegistry, { kind, config }: Pick<ChannelTarget, 'kind' | 'config'>) =>
  kinds.get(kind).isListener?.(config) ?? false;

/**
 * The issues of a channel for a listener: it is of the environment, and stays one, because it is deleted when its listener is gone.
 */
function listenerIssues(kinds: ChannelRegistry, { target, consumerId, current }: Proposed): Detail[] {
  const is = isListener(kinds, target);
  const issue = (message: string): Detail[] => [invalidValue('/config/url', message)];
  if (is && consumerId !== null) return issue('cannot be listen:// for a channel of a consumer');
  if (current !== null && is !== isListener(kinds, current))
    return issue('cannot become or leave listen://: create a channel');
  return [];
}

/**
 * The issues of a channel that uses the installation's own access to a service. Nobody without `keyless:write` may mark a channel so,
 * nor change the config of one: that could send with this access to somewhere else. Nor may a tenant's own operators, who have bounds:
 * the access reaches what other tenants' channels send to. A channel of a consumer cannot use it.
 */
function keylessIssues(
  kinds: ChannelRegistry,
  { target: { kind, config }, consumerId, current }: Proposed,
  { scopes, bounds }: CallerRights,
): Detail[] {
  const keylessOf = kinds.get(kind).config.keylessOf ?? (() => []);
  const paths = keylessOf(config);
  const issues = (given: readonly string[], message: string) =>
    given.map((path): Detail => invalidValue(`/config${path}`, message));
  if (consumerId !== null) return issues(paths, 'cannot be set for a channel of a consumer');
  const may = scopes.has('keyless:write') && bounds === null;
  if (may || isDeepStrictEqual(config, current?.config)) return [];
  const wasKeyless = current !== null && keylessOf(current.config).length > 0;
  return wasKeyless
    ? issues(
        [''],
        'can only be changed by an operator with keyless:write and without bounds: the channel has an aws_role',
      )
    : issues(paths, 'can only be set by an operator with keyless:write and without bounds');
}

/** Rejects a channel that its caller may not have; `others` are further issues. */
function requireAllowed(
  deps: InputDeps,
  proposed: Proposed,
  caller: CallerRights,
  others: readonly Detail[] = [],
): void {
  const issues = [
    ...others,
    ...operatorsSettings(proposed, caller),
    ...addressIssues(deps, proposed, caller),
    ...filterOfConsumer(proposed, caller),
    ...listenerIssues(deps.kinds, proposed),
    ...keylessIssues(deps.kinds, proposed, caller),
  ];
  if (issues.length > 0) reject(invalid(issues));
}

/** The limit of open deliveries: that of a listener, which cannot have more, is always set. */
const maxInFlightOf = (kinds: ChannelRegistry, target: ChannelTarget, given: number | null) =>
  isListener(kinds, target) ? Math.min(given ?? MAX_IN_FLIGHT_OF_LISTENER, MAX_IN_FLIGHT_OF_LISTENER) : given;

const setsCredentials = (changes: CredentialChanges) =>
  Object.values(changes).some((value) => value !== null);

/** The settings of a valid body, with their defaults. */
const settingsOf = ({ name, ...body }: ChannelBody) =>
  parseFields<Omit<ChannelOptions, 'failurePolicy'>>(body, { name, ...CHANNEL_DEFAULTS });

/** The new channel of a valid body. Rejects one that has issues. */
export function newChannel(
  deps: InputDeps,
  owner: { readonly environmentId: string; readonly consumerId: string | null },
  { body, ...caller }: Given<ChannelBody>,
): ChannelInput {
  const target = toTarget(deps.kinds, body);
  requireAllowed(deps, { body, target, consumerId: owner.consumerId, current: null }, caller);
  const { changes: credentials } = newCredentials(deps.kinds, body);
  const policy = body.failure_policy ? { failurePolicy: failurePolicyOf(body.failure_policy) } : {};
  const settings = { ...settingsOf(body), publicOnly: caller.isOutsider };
  const maxInFlight = maxInFlightOf(deps.kinds, target, settings.maxInFlight);
  return { ...owner, ...settings, maxInFlight, ...policy, ...target, credentials };
}

/** The channel that results from a patch. Rejects one that has issues. */
export function patchedChannel(
  deps: InputDeps,
  current: ChannelRecord,
  { body: patch, ...caller }: Given<JsonObject>,
): ChannelChange {
  const { kinds } = deps;
  // Not merged, because a merged filter would keep old conditions and lose those that compare with null.
  const { filter = null, ...rest } = patch;
  const before = { ...toChannelBody(current), filter };
  const patched = applyPatch(before, rest, channelValidator(kinds));
  // A stored filter stays valid when the rules for new ones change.
  const body = 'filter' in patch ? patched : { ...patched, filter: current.filter };
  const target = toTarget(kinds, body);
  const { changes: credentials, issues: ofCredentials } = credentialChange(kinds, current, {
    given: patch.config,
    target,
  });
  const { consumerId } = current;
  requireAllowed(deps, { body, target, consumerId, current }, caller, ofCredentials);
  // Credentials of a token are for public addresses, too. An operator vouches for addresses only by giving all of them.
  const publicOnly = caller.isOutsider
    ? current.publicOnly || !isDeepStrictEqual(target.config, current.config) || setsCredentials(credentials)
    : current.publicOnly && !givesAddresses(kinds, target, patch.config as JsonObject | undefined);
  const failurePolicy = failurePolicyOf(body.failure_policy);
  const settings = settingsOf(body);
  const maxInFlight = maxInFlightOf(kinds, target, settings.maxInFlight);
  return { ...target, ...settings, maxInFlight, publicOnly, failurePolicy, credentials };
}
