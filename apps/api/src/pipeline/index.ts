import { enforceHardQuota } from './enforce-hard-quota.ts';
import { createEnforceIdempotency, type IdempotencyDeps, unlessAnswered } from './enforce-idempotency.ts';
import { enforcePaymentAccess } from './enforce-payment-access.ts';
import { createEnforceRateLimit, type RateLimitDeps } from './enforce-rate-limit.ts';
import { createLimitBytesInFlight, type InFlightDeps } from './limit-bytes-in-flight.ts';
import { receiveBody } from './receive-body.ts';
import {
  createResolveEnvironmentFromToken,
  type ResolveEnvironmentDeps,
} from './resolve-environment-from-token.ts';
import { type Identified, type Pipeline, type Received, type Stage, startWith } from './stage.ts';

export type PipelineDeps = ResolveEnvironmentDeps & IdempotencyDeps & RateLimitDeps & InFlightDeps;

/** A stage that refuses no request whose key has an answer by now: see {@link unlessAnswered}. */
function afterIdempotency(stage: Stage<Identified, Identified>): Stage<Identified, Identified> {
  return async (request) => {
    const step = await stage(request);
    return 'reply' in step ? { reply: await unlessAnswered(request, step.reply) } : step;
  };
}

/**
 * The stages of a protected request in their order (docs/specification.md, "Request pipeline"; the limit of
 * bytes in flight, 413 and 415 come between the first two). What passes is parsed, validated and carried out
 * by its operation.
 */
export function createPipeline(deps: PipelineDeps): Pipeline<Received, Identified> {
  return startWith(createResolveEnvironmentFromToken(deps))
    .next(createLimitBytesInFlight(deps))
    .next(receiveBody)
    .next(createEnforceIdempotency(deps))
    .next(afterIdempotency(enforceHardQuota))
    .next(afterIdempotency(enforcePaymentAccess))
    .next(createEnforceRateLimit(deps));
}
