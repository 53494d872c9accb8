import { LRUCache, withDeadline } from '@postrider/domain';
import type { AwsCredentials } from './aws-signature.ts';

/** The installation's own access to AWS, as a marked channel uses it: docs/guides/aws-without-keys.md. */
export interface AwsAccess {
  /** {@link OWN_ROLE}, or the ARN of a role. */
  readonly role: string;
  /** The public id of the environment, which nobody chooses. The trust policy of the role asks for it. */
  readonly externalId: string;
  readonly region: string;
}

/** The role of the worker itself: what the default chain of credentials finds. */
const OWN_ROLE = 'worker';

/** Rejects if there are no credentials now. The name of the error may be shown to tenants, its message may not. */
export type GetAwsCredentials = (access: AwsAccess, nowMs: number) => Promise<AwsCredentials>;

interface Fetched extends AwsCredentials {
  /** Left out for those that do not expire. */
  readonly expiration?: Date;
}
export type FetchAwsCredentials = (access: AwsAccess) => Promise<Fetched>;

/** How long before they expire credentials are fetched again, in milliseconds. If that fails they are used until then. */
const EARLY_MS = 5 * 60_000;
/** How long credentials without an expiry are used before they are read again, in milliseconds: a file may have changed. */
const REREAD_MS = 5 * 60_000;
/** How long a failure is remembered, in milliseconds, so that waiting runs do not each ask again. */
const FAILED_MS = 1_000;
/** The longest that one fetch may take, in milliseconds. */
const FETCH_MS = 10_000;
/** Roles whose credentials are kept. The least recently used one is dropped first. */
const MAX_ROLES = 1_000;

const STS = { connectionTimeout: 2_000, requestTimeout: 5_000 };

/** Asks the default credential chain of the AWS SDK, or `sts:AssumeRole` with what it finds. */
export const fetchAwsCredentials: FetchAwsCredentials = async ({ role, externalId, region }) => {
  const { fromNodeProviderChain, fromTemporaryCredentials } = await import('@aws-sdk/credential-providers');
  const own = fromNodeProviderChain({ clientConfig: { region, requestHandler: STS } });
  if (role === OWN_ROLE) return own();
  return fromTemporaryCredentials({
    masterCredentials: own,
    clientConfig: { region, requestHandler: STS },
    params: { RoleArn: role, ExternalId: externalId, RoleSessionName: `postrider-${externalId}` },
  })();
};

interface Held {
  current: Fetched | null;
  /** When the current ones are fetched again. */
  freshUntilMs: number;
  /** When they may no longer be used. */
  usableUntilMs: number;
  failed: { readonly error: unknown; readonly untilMs: number } | null;
  fetching: Promise<void> | null;
}

/**
 * Creates the source of credentials of marked channels. They are kept until shortly before they expire, and fetched once for all
 * that wait. While a fetch fails the current ones are used until they expire. Without any the promise rejects.
 * @param onFailed called with each failed fetch, at most once a second for each role
 */
export function createAwsAccess(
  fetch: FetchAwsCredentials,
  onFailed: (error: unknown) => void,
): GetAwsCredentials {
  const roles = new LRUCache<string, Held>({ max: MAX_ROLES });

  function heldFor({ role, externalId, region }: AwsAccess): Held {
    const key = role === OWN_ROLE ? role : `${role} ${externalId} ${region}`;
    const held = roles.get(key) ?? {
      current: null,
      freshUntilMs: 0,
      usableUntilMs: 0,
      failed: null,
      fetching: null,
    };
    roles.set(key, held);
    return held;
  }

  async function refresh(held: Held, access: AwsAccess, nowMs: number): Promise<void> {
    try {
      const fetched = await withDeadline(fetch(access), FETCH_MS, 'the request for credentials of AWS');
      const expiresMs = fetched.expiration?.getTime();
      held.current = fetched;
      held.freshUntilMs = expiresMs === undefined ? nowMs + REREAD_MS : expiresMs - EARLY_MS;
      held.usableUntilMs = expiresMs ?? Number.POSITIVE_INFINITY;
      held.failed = null;
    } catch (error) {
      held.failed = { error, untilMs: nowMs + FAILED_MS };
      onFailed(error);
    } finally {
      held.fetching = null;
    }
  }

  return async (access, nowMs) => {
    const held = heldFor(access);
    const hasFailed = held.failed !== null && nowMs < held.failed.untilMs;
    if (nowMs >= held.freshUntilMs && !hasFailed) {
      held.fetching ??= refresh(held, access, nowMs);
      await held.fetching;
    }
    if (held.current && nowMs < held.usableUntilMs) return held.current;
    throw held.failed?.error ?? new Error('AWS gave credentials that have expired');
  };
}
