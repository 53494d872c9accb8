import { enforceHardQuota } from './enforce-hard-quota.ts';
import { createEnforceIdempotency, type IdempotencyDeps } from './enforce-idempotency.ts';
import { enforcePaymentAccess } from './enforce-payment-access.ts';
import { createEnforceRateLimit, type RateLimitDeps } from './enforce-rate-limit.ts';
import { receiveBody } from './receive-body.ts';
import {
  createResolveEnvironmentFromToken,
  type ResolveEnvironmentDeps,
} from './resolve-environment-from-token.ts';
import { type Identified, type Pipeline, type Received, startWith } from './stage.ts';

export type PipelineDeps = ResolveEnvironmentDeps & IdempotencyDeps & RateLimitDeps;

/**
 * The stages of a protected request in their order (interface specification, "Processing order of the request
 * pipeline"; 413 and 415 come between the first two, contract section 3). What passes is parsed, validated
 * and carried out by its operation.
 */
export function createPipeline(deps: PipelineDeps): Pipeline<Received, Identified> {
  return startWith(createResolveEnvironmentFromToken(deps))
    .next(receiveBody)
    .next(createEnforceIdempotency(deps))
    .next(enforceHardQuota)
    .next(enforcePaymentAccess)
    .next(createEnforceRateLimit(deps));
}
