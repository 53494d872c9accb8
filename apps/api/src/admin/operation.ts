import type { Actor } from '@postrider/db';
import { type IdPrefix, parseId } from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import type { BodyUse } from '../http/receive-bytes.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-context.ts';
import type { Route } from '../http/routes.ts';
import { compileBody, type ValidateBody } from '../validation/body-validator.ts';
import { invalid, parseBody, parseOptionalBody } from '../validation/parse-body.ts';

/** What an operation knows of a request that has passed authentication. */
export interface AdminRequest {
  readonly actor: Actor;
  /** Segments of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** For the one log line of the request. */
  readonly facts: RequestFacts;
}

export interface AdminRequestWithBody<Body> extends AdminRequest {
  readonly body: Body;
}

/** An operation of the management API: one method of one path under `/admin/v1`. */
export interface AdminOperation extends Pick<Route, 'method' | 'path'> {
  readonly body: BodyUse;
  /** What the body must be, as the OpenAPI document shows it; null where it is ignored. */
  readonly schema: SchemaObject | null;
  /** Carries it out; `bytes` are those of the body, empty where it is ignored or was left out. */
  readonly run: (request: AdminRequest, bytes: Uint8Array) => Promise<Reply>;
}

/** An operation that reads no body. */
export function withoutBody(
  operation: Pick<AdminOperation, 'method' | 'path'> & {
    readonly run: (request: AdminRequest) => Promise<Reply>;
  },
): AdminOperation {
  return { ...operation, body: 'ignored', schema: null };
}

/**
 * An operation with a JSON body, which is parsed and validated before `run`: 400 and 422 (contract section
 * 2). A body that is optional and left out is the empty object. `validate` is compiled from the schema unless
 * given, which is for rules that a schema cannot say.
 */
export function withBody<Body>({
  validate,
  run,
  ...operation
}: Pick<AdminOperation, 'method' | 'path'> & {
  readonly body?: 'required' | 'optional';
  readonly schema: SchemaObject;
  readonly validate?: ValidateBody<Body>;
  readonly run: (request: AdminRequestWithBody<Body>) => Promise<Reply>;
}): AdminOperation {
  const { body = 'required', schema } = operation;
  const check = validate ?? compileBody<Body>(schema);
  return {
    ...operation,
    body,
    run: async (request, bytes) => {
      const parsed = body === 'optional' ? parseOptionalBody(bytes) : parseBody(bytes);
      if (parsed.outcome === 'refused') return parsed.refusal;
      const validated = check(parsed.value);
      return 'body' in validated ? run({ ...request, body: validated.body }) : invalid(validated.faults);
    },
  };
}

/**
 * The UUID of the id in the path; null when it is no id of this kind, which is answered as one that does not
 * exist.
 */
export function idOf({ params }: AdminRequest, prefix: IdPrefix, name: string): string | null {
  return parseId(prefix, params[name] ?? '');
}
