import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EnvironmentSnapshot } from '@postrider/db';
import { type IdempotencyClaim, RefusedError } from '@postrider/domain';
import type { Holder } from '@postrider/fairness';
import type { Access } from '../access/access.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestContext } from '../http/request.ts';
import type { OperationDescription } from '../openapi/operation.ts';

/** A request whose caller is not known yet. */
export interface ReceivedRequest {
  readonly http: IncomingMessage;
  readonly res: ServerResponse;
  readonly context: RequestContext;
  readonly operation: OperationDescription;
  /** Decoded segments of the path, by their names. Those that the caller may not know of become empty. */
  params: Readonly<Record<string, string>>;
  /** The path and the query of the request line. */
  readonly url: string;
  /** The raw body; empty before it is read, and if the operation has none or it was left out. */
  bytes: Uint8Array;
  /** The idempotency record of this request; null if it has no key. */
  claim: IdempotencyClaim | null;
  /**
   * The reply that the key requires by now: the stored response, a conflict, or null if none is stored. Always null until
   * `idempotency.ts` replaces this look-up, which it does for a request with a key.
   */
  storedReply: () => Promise<Reply | null>;
  /** Headers of every reply to this request. */
  readonly replyHeaders: Record<string, string>;
  /** Registers a callback, called once with the reply, or with null if the request failed. */
  readonly onDecided: (callback: (reply: Reply | null) => void) => void;
}

/**
 * A request of any operation. The first stage finds its caller; each later one checks it, or sets a field that is not readonly.
 * Only a late request gets its caller again, see `createFindCallerAgain`.
 */
export interface OperationRequest extends ReceivedRequest, Access {
  /** Whose share of memory and turns it uses. */
  readonly holder: Holder;
  /** Absent in the management API, whose requests can be about several environments or none. */
  readonly snapshot?: EnvironmentSnapshot;
  /**
   * Finds the caller as it is now, for requests and responses that take long.
   * @throws RefusedError if it lost its access
   */
  readonly findCaller: () => Promise<Caller<OperationRequest>>;
}

/**
 * Whether the caller of a response that takes long may get more of it now. Calls `end` if the caller lost its access. False, too,
 * while it cannot be looked up: it gets nothing then, and continues to wait, because an outage takes no access away.
 */
export const mayContinue = (
  { findCaller }: { readonly findCaller: () => Promise<unknown> },
  end: () => unknown,
): Promise<boolean> =>
  findCaller().then(
    () => true,
    (error) => {
      if (error instanceof RefusedError) end();
      return false;
    },
  );

/** A request about one environment, with a token of it or from an operator. */
export interface ApiRequest extends OperationRequest {
  readonly operation: OperationDescription & Required<Pick<OperationDescription, 'traits'>>;
  readonly snapshot: EnvironmentSnapshot;
}

/** What the first stage finds. */
export type Caller<Request extends OperationRequest> = Omit<Request, keyof ReceivedRequest | 'findCaller'>;

/**
 * The first stage: finds the caller of a request, and the environment if it has one.
 * @throws RefusedError
 */
export type FirstStage<Request extends OperationRequest = ApiRequest> = (
  request: Pick<ReceivedRequest, 'http' | 'context' | 'operation' | 'params'>,
) => Promise<Caller<Request>>;

/**
 * A later stage, which lets the request continue or refuses it.
 * @throws RefusedError
 */
export type Stage<Request extends OperationRequest = ApiRequest> = (
  request: Request,
) => undefined | Promise<void>;
