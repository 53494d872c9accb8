import type { Snapshots } from '@postrider/db';
import { formatId, hashToken, isWellFormedToken } from '@postrider/domain';
import { refuse } from '../http/reply.ts';
import type { Authenticated, Received, Stage } from './stage.ts';

export interface ResolveEnvironmentDeps {
  readonly snapshots: Pick<Snapshots, 'token' | 'environment' | 'drop'>;
}

/** RFC 6750 section 2.1; the scheme's case does not matter (RFC 9110 section 11.1). */
const BEARER = /^bearer +(\S+)$/i;

/** One answer for every cause, so that it tells nothing about tokens. */
const UNAUTHORIZED = refuse('unauthorized', { headers: { 'WWW-Authenticate': 'Bearer' } });

/**
 * Stage 1: finds the environment, and with it the tenant, that the token stands for. A token with a wrong
 * checksum is refused without a query.
 */
export function createResolveEnvironmentFromToken({
  snapshots,
}: ResolveEnvironmentDeps): Stage<Received, Authenticated> {
  return async (request) => {
    const text = BEARER.exec(request.http.get('authorization') ?? '')?.[1];
    if (text === undefined || !isWellFormedToken(text)) return { reply: UNAUTHORIZED };
    const token = await snapshots.token(hashToken(text));
    const snapshot = token && (await snapshots.environment(token.environmentId));
    if (!snapshot) return { reply: UNAUTHORIZED };
    request.context.facts.tenant_id = formatId('ten', snapshot.tenant.id);
    request.context.facts.environment_id = formatId('env', snapshot.environment.id);
    return { passed: { ...request, snapshot } };
  };
}
