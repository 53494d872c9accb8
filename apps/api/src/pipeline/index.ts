import { createEnforceIdempotency, type IdempotencyDeps, unlessAnswered } from './idempotency.ts';
import { enforceHardQuota, enforcePaymentAccess } from './quota-and-payment.ts';
import { createEnforceRateLimit, type RateLimitDeps } from './rate-limit.ts';
import { type Identified, type Pipeline, type Received, type Stage, startWith } from './stage.ts';
import {
  createLimitBytesInFlight,
  createResolveEnvironmentFromToken,
  type InFlightDeps,
  type ResolveEnvironmentDeps,
  receiveBody,
} from './token-and-body.ts';

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
