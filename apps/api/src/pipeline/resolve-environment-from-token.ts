import type { Snapshots } from '@postrider/db';
import { formatId, hashToken, isWellFormedToken } from '@postrider/domain';
import { bearerToken, UNAUTHORIZED } from '../http/bearer.ts';
import type { Authenticated, Received, Stage } from './stage.ts';

export interface ResolveEnvironmentDeps {
  readonly snapshots: Pick<Snapshots, 'token' | 'environment' | 'drop'>;
  /** Hears of each token that was let in, by its UUID. */
  readonly noteTokenUse: (tokenId: string) => void;
}

/**
 * Stage 1: finds the environment, and with it the tenant, that the token stands for. A token with a wrong
 * checksum is refused without a query.
 */
export function createResolveEnvironmentFromToken({
  snapshots,
  noteTokenUse,
}: ResolveEnvironmentDeps): Stage<Received, Authenticated> {
  return async (request) => {
    const text = bearerToken(request.http.get('authorization'));
    if (text === undefined || !isWellFormedToken(text)) return { reply: UNAUTHORIZED };
    const token = await snapshots.token(hashToken(text));
    const snapshot = token && (await snapshots.environment(token.environmentId));
    if (!snapshot) return { reply: UNAUTHORIZED };
    noteTokenUse(token.id);
    request.context.facts.tenant_id = formatId('ten', snapshot.tenant.id);
    request.context.facts.environment_id = formatId('env', snapshot.environment.id);
    return { passed: { ...request, snapshot } };
  };
}
