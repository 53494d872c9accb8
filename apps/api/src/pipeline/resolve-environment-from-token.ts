import type { EnvironmentSnapshot, Snapshots } from '@postrider/db';
import { formatId, hashToken, isWellFormedToken } from '@postrider/domain';
import { bearerToken, UNAUTHORIZED } from '../http/bearer.ts';
import type { RequestFacts } from '../http/request-context.ts';
import type { Authenticated, Received, Stage } from './stage.ts';

export interface ResolveEnvironmentDeps {
  readonly snapshots: Pick<Snapshots, 'token' | 'environment' | 'drop'>;
  /** Hears of each token that was let in, by its UUID. */
  readonly noteTokenUse: (tokenId: string) => void;
}

type Owner = Pick<RequestFacts, 'tenant_id' | 'environment_id'>;

/**
 * Stage 1: finds the environment, and with it the tenant, that the token stands for. A token with a wrong
 * checksum is refused without a query.
 */
export function createResolveEnvironmentFromToken({
  snapshots,
  noteTokenUse,
}: ResolveEnvironmentDeps): Stage<Received, Authenticated> {
  /** Whose request it is, as the log says it; a snapshot serves many requests. */
  const owners = new WeakMap<EnvironmentSnapshot, Owner>();

  function ownerOf(snapshot: EnvironmentSnapshot): Owner {
    const known = owners.get(snapshot);
    if (known) return known;
    const owner = {
      tenant_id: formatId('ten', snapshot.tenant.id),
      environment_id: formatId('env', snapshot.environment.id),
    };
    owners.set(snapshot, owner);
    return owner;
  }

  return async (request) => {
    const text = bearerToken(request.http.get('authorization'));
    if (text === undefined || !isWellFormedToken(text)) return { reply: UNAUTHORIZED };
    const token = await snapshots.token(hashToken(text));
    const snapshot = token && (await snapshots.environment(token.environmentId));
    if (!snapshot) return { reply: UNAUTHORIZED };
    noteTokenUse(token.id);
    Object.assign(request.context.facts, ownerOf(snapshot));
    return { passed: { ...request, snapshot } };
  };
}
