import type { IncomingMessage } from 'node:http';
import type { Database, RecordUse, Snapshots } from '@postrider/db';
import { formatId, hashToken, isWellFormedToken } from '@postrider/domain';
import { createTurns, type Holder, type Turns } from '@postrider/fairness';
import {
  type Access,
  accessOfIntegrator,
  accessOfToken,
  refuseConsumer,
  refuseWithoutScope,
  shareOfConsumer,
} from '../access/access.ts';
import type { ConsoleSessions } from '../console/sessions.ts';
import {
  admitRequest,
  type BytesInFlight,
  MAX_BODY_BYTES,
  MAX_EVENT_BYTES,
  receiveBytes,
  reserve,
  takeTurn,
} from '../http/admission.ts';
import type { CountStored } from '../http/memory.ts';
import { bearerToken, type Refusal, refuse, UNAUTHORIZED } from '../http/reply.ts';
import { headerOf } from '../http/request.ts';
import type { Admitted, Authenticated, Identified, Received, Stage, Step, WithBody } from './stage.ts';

export interface ResolveEnvironmentDeps {
  readonly snapshots: Pick<Snapshots, 'token' | 'environment' | 'consumer' | 'drop'>;
  /** Called for each accepted token. */
  readonly recordUse: RecordUse;
  /** Sessions of integrators in the console; null if there are none. */
  readonly sessions: Pick<ConsoleSessions, 'authenticate'> | null;
}

/** The access of a token, and the UUID of its environment. */
type TokenAccess = { readonly access: Access; readonly environmentId: string };

/**
 * Stage 1: finds the environment and tenant of the token. A token with a wrong checksum is refused without a query. A
 * request without an Authorization header may have a console session, which represents its token. The token of a consumer that
 * is disabled or deleted is refused.
 */
export function createResolveEnvironmentFromToken({
  snapshots,
  recordUse,
  sessions,
}: ResolveEnvironmentDeps): Stage<Received, Authenticated> {
  async function ofSession(http: IncomingMessage): Promise<TokenAccess | Refusal> {
    if (!sessions) return UNAUTHORIZED;
    const session = await sessions.authenticate(http, 'integrator');
    if ('refused' in session) return session;
    const { tokenId, environmentId, tokenScopes } = session;
    if (!tokenId || !environmentId) return UNAUTHORIZED;
    return { access: accessOfIntegrator(tokenId, tokenScopes, session.id), environmentId };
  }

  async function ofToken(authorization: string): Promise<TokenAccess | Refusal> {
    const text = bearerToken(authorization);
    if (text === undefined || !isWellFormedToken(text)) return UNAUTHORIZED;
    const token = await snapshots.token(hashToken(text));
    if (!token) return UNAUTHORIZED;
    const { environmentId, consumerId } = token;
    if (consumerId !== null) {
      const consumer = await snapshots.consumer({ environmentId, id: consumerId });
      if (!consumer?.enabled) return UNAUTHORIZED;
    }
    return { access: accessOfToken(token.id, token.scopes, consumerId), environmentId };
  }

  return async (request) => {
    const authorization = headerOf(request.http, 'authorization');
    const token = await (authorization === undefined ? ofSession(request.http) : ofToken(authorization));
    if ('refused' in token) return { reply: token };
    const { access, environmentId } = token;
    const snapshot = await snapshots.environment(environmentId);
    if (!snapshot) return { reply: UNAUTHORIZED };
    recordUse('tokens', access.callerId);
    request.context.facts.tenant_id = formatId('ten', snapshot.tenant.id);
    request.context.facts.environment_id = formatId('env', snapshot.environment.id);
    const refusal =
      refuseConsumer(access, request.isForConsumers) ?? refuseWithoutScope(access, request.scope);
    return refusal ? { reply: refusal } : { passed: { ...request, ...access, snapshot } };
  };
}

export interface TurnDeps {
  /** The turns of all requests of the process. */
  readonly turns: Turns;
}

/** Right after the token: lets tenants take turns, see {@link takeTurn}. */
export function createTakeTurn({ turns }: TurnDeps): Stage<Admitted, Admitted> {
  return (request) => {
    const turn = takeTurn(turns, request.context);
    return turn instanceof Promise ? turn.then(() => ({ passed: request })) : { passed: request };
  };
}

/** Whose share of memory and turns a request uses. */
const holderOf = ({ snapshot: { tenant, environment }, callerId, consumerId }: Authenticated): Holder =>
  consumerId === null
    ? { owner: tenant.id, part: callerId }
    : shareOfConsumer(tenant.id, environment.id, consumerId);

export interface InFlightDeps {
  readonly bytesInFlight: BytesInFlight;
}

export interface StoredDeps {
  readonly db: Database;
  /** Limits the stored bytes that requests read. */
  readonly storedBytes: BytesInFlight;
}

/**
 * Between token and body: limits the bytes in flight (requests and responses) per tenant and per token, so that no
 * tenant exhausts the memory of the process, and no token that of its tenant.
 */
export function createLimitBytesInFlight({ bytesInFlight }: InFlightDeps): Stage<Admitted, Admitted> {
  return async (request) => {
    const { http, res, traits, memory, onDecided } = request;
    const step = await admitRequest(bytesInFlight, {
      http,
      res,
      holder: holderOf(request),
      use: traits.body,
      limit: limitOf(request),
      memory,
    });
    if ('reply' in step) return step;
    // The stored bytes of an operation that counts them are reserved after the rate limit: see createReserveStored.
    const expected = typeof memory === 'number' ? memory : Number.POSITIVE_INFINITY;
    onDecided((reply) => {
      if (reply && 'body' in reply) step.permit.add(Math.max(0, reply.body.byteLength - expected));
    });
    return { passed: request };
  };
}

/**
 * Reserves the stored bytes that an operation reads, for an operation that counts them. They are apart from the bytes
 * of bodies, so that nobody waits for one while holding the other, and reads do not keep a tenant's events out.
 */
export function createReserveStored({ db, storedBytes }: StoredDeps): Stage<Identified, Identified> {
  async function count(request: Identified, counts: CountStored): Promise<Step<Identified>> {
    const { res, snapshot, params } = request;
    const bytes = await counts(db, { environmentId: snapshot.environment.id, params });
    const step = await reserve(storedBytes, { res, holder: holderOf(request), bytes });
    return 'reply' in step ? step : { passed: request };
  }

  return (request) =>
    typeof request.memory === 'number' ? { passed: request } : count(request, request.memory);
}

/** The largest event with files that a plan allows, in bytes. By default a plan allows no files. */
export function eventLimit(plan: { readonly maxPayloadBytes: number | null }): number {
  return Math.min(MAX_EVENT_BYTES, plan.maxPayloadBytes ?? MAX_BODY_BYTES);
}

const limitOf = ({ traits, snapshot: { plan } }: Admitted): number =>
  traits.maxBodyBytes ?? (traits.acceptsFiles ? eventLimit(plan) : bodyLimit(plan));

/** The largest body that a plan allows, in bytes. A plan can only lower the general limit. */
export function bodyLimit(plan: { readonly maxPayloadBytes: number | null }): number {
  return Math.min(MAX_BODY_BYTES, plan.maxPayloadBytes ?? MAX_BODY_BYTES);
}

/**
 * Reads the raw body once the token is known (docs/specification.md, "Request pipeline"). It is parsed after the last
 * stage.
 */
export const receiveBody: Stage<Admitted, WithBody> = async (request) => {
  const { http, traits } = request;
  const received = await receiveBytes(http, traits.body, limitOf(request));
  return received.outcome === 'refused'
    ? { reply: received.refusal }
    : { passed: { ...request, bytes: received.bytes } };
};

/** A larger body takes milliseconds of the event loop. */
const LARGE_BODY_BYTES = 16 * 1024;
/** More large bodies wait than the limit of bytes in flight admits. */
const ONE_BY_ONE = { sliceMs: 0, maxRestMs: 50, maxWaiting: 1_024, maxWaitingPerOwner: 256 };
const BUSY = refuse('service_unavailable', {
  message: 'Too many large requests wait: send the same request again.',
  headers: { 'Retry-After': '1' },
});

/**
 * The last stage: admits one large body in each turn of the event loop, with tenants and their tokens in turn, and after
 * one that took long pauses for as long as it took. Parsing and checking one takes up to about 30 ms; eight in a row would
 * stop every other request for a quarter of a second.
 */
export function createParseOneByOne(): Stage<Identified, Identified> {
  const turns = createTurns(ONE_BY_ONE);
  const admit = async (request: Identified): Promise<Step<Identified>> => {
    const isTurn = await turns.take(holderOf(request));
    return isTurn ? { passed: request } : { reply: BUSY };
  };
  return (request) => (request.bytes.byteLength < LARGE_BODY_BYTES ? { passed: request } : admit(request));
}
