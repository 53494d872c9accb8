import {
  type AttemptErrorCode,
  type AttemptOutcome,
  isJsonObject,
  type JsonObject,
  parseRetryAfter,
  type RemoteResponse,
} from '@postrider/domain';
import { ADDRESS_BLOCKED } from '../connection-errors.ts';
import { hidingResponses } from '../hide-credentials.ts';
import {
  type Delivery,
  delivered,
  type ExchangeFacts,
  failure,
  type HeaderList,
  isOutcome,
  limitTime,
  type SenderOptions,
} from '../sender.ts';
import type { AwsAccess } from './aws-access.ts';
import { createHttpClient } from './create-client.ts';
import type { Broken, Exchange } from './exchange.ts';

export interface ServiceRequest {
  readonly url: URL;
  /** Headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ServiceAnswer {
  readonly statusCode: number;
  /** Empty if the response is not a JSON object. */
  readonly body: JsonObject;
  /** The value of a header, or null. */
  header(name: string): string | null;
}

/**
 * The meaning of an error response. `message`: the message is refused for good. `recipient`: its recipient is, because
 * its address is not valid. `account`: refused until the operator
 * changes something at the service or in the channel. `later`: not accepted now. `unknown`: it may have been
 * accepted.
 */
type Refusal = 'message' | 'recipient' | 'account' | 'later' | 'unknown';

/** What every message to a service has. */
type ServiceInput = Pick<
  Delivery<unknown>,
  'credentials' | 'timeoutMs' | 'signal' | 'nowMs' | 'reportExchange'
>;

/** The HTTP API of a service that accepts messages. */
export interface ServiceApi<Input extends ServiceInput> {
  /** Name in messages. */
  readonly label: string;
  /** Builds the request, or says why there is none. Null if the settings or credentials are incomplete. */
  request(
    input: Input,
  ): ServiceRequest | AttemptOutcome | null | Promise<ServiceRequest | AttemptOutcome | null>;
  /** The installation's own access to AWS that the input uses. Its key then replaces the credentials. Default: none. */
  awsAccessOf?(input: Input): AwsAccess | null;
  /** The id that the service gave an accepted message. */
  messageIdOf(answer: ServiceAnswer): string | null;
  /**
   * Whether a 2xx looks like a response of the service; otherwise another server may have responded. Default: always.
   */
  isTaken?(answer: ServiceAnswer): boolean;
  /** The addresses to which the service does not send a message, also one that it accepted. Default: none. */
  refusedOf?(answer: ServiceAnswer): readonly string[];
  /** The name or number of the error in a response. */
  errorOf(answer: ServiceAnswer): string | null;
  /** The meaning of the service's errors, by {@link errorOf}. Others are classified by their status. */
  readonly errors: Readonly<Record<string, Refusal>>;
  /** The meaning of a status where the service documents more than {@link refusalByStatus}. */
  readonly statuses: Readonly<Record<number, Refusal>>;
  /** When to try again, in milliseconds from now, for a service that does not send `Retry-After`. */
  retryAfterMsOf?(answer: ServiceAnswer, nowMs: number): number | null;
  /** The error codes of the kind, by the meaning of a refusal, and for a service that was not reached. */
  readonly codes: Readonly<Record<Exclude<Refusal, 'recipient'> | 'connection', AttemptErrorCode>>;
  /** The address of the recipient, for kinds whose recipients can be refused. */
  recipientOf?(input: Input): string;
}

const MAX_MESSAGE_ID_LENGTH = 200;
/** Error names that may be shown to operators: other text from a service could contain a payload. */
const ERROR_NAME = /^[\w.-]{1,64}$/;

/**
 * The meaning of a status by RFC 9110 alone. A client error means that nothing was done. A server error leaves the
 * outcome open: a gateway that gives up says nothing about the server behind it.
 */
function refusalByStatus(status: number): Refusal {
  if (status >= 500) return 'unknown';
  if (status === 408 || status === 425 || status === 429) return 'later';
  // The host of the service or a resource in the settings does not exist. Redirects are not followed.
  if (status < 400 || status === 404 || status === 405 || status === 407) return 'account';
  return status === 401 || status === 402 || status === 403 ? 'account' : 'message';
}

function readResponse({ statusCode, bodyExcerpt }: RemoteResponse, headers: HeaderList): ServiceAnswer {
  let body: JsonObject = {};
  try {
    const parsed = JSON.parse(bodyExcerpt ?? '');
    if (isJsonObject(parsed)) body = parsed;
  } catch {
    // An HTML page of a gateway, or an empty body.
  }
  const header = (name: string) => headers.find(([other]) => other.toLowerCase() === name)?.[1] ?? null;
  return { statusCode, body, header };
}

/** The id in its stored form; null if it is not one short line of text. */
function storableId(id: string | null): string | null {
  return id !== null && /^[\x21-\x7e]+$/.test(id) && id.length <= MAX_MESSAGE_ID_LENGTH ? id : null;
}

const isSameAddress = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** The parts of a result about refused addresses, all of them for good. */
function refusedParts(refused: readonly string[], recipient: string | undefined, reason: string) {
  const copies = refused.filter((email) => !isSameAddress(email, recipient ?? ''));
  return {
    ...(refused.length > 0 ? { bounces: refused.map((email) => ({ email, permanent: true, reason })) } : {}),
    ...(copies.length > 0
      ? { skippedCopies: copies.map((email) => ({ email, outcome: 'refused' as const, reason })) }
      : {}),
  };
}

function classifyResponse<Input extends ServiceInput>(
  api: ServiceApi<Input>,
  response: RemoteResponse,
  {
    retryAfter,
    headers,
    nowMs,
    recipient,
  }: Pick<Exchange, 'retryAfter'> & { headers: HeaderList; nowMs: number; recipient: string | undefined },
): AttemptOutcome {
  const { statusCode } = response;
  const read = readResponse(response, headers);
  const refused = api.refusedOf?.(read) ?? [];
  if (statusCode >= 200 && statusCode < 300) {
    const providerMessageId = storableId(api.messageIdOf(read));
    if (api.isTaken?.(read) === false) {
      const message = `${api.label} responded with ${statusCode}, which does not confirm that it accepted the message.`;
      return failure(api.codes.unknown, message, { status: 'unknown', response });
    }
    const reason = `${api.label} does not send to this address.`;
    const parts = refusedParts(refused, recipient, reason);
    if (recipient !== undefined && refused.some((email) => isSameAddress(email, recipient))) {
      const message = `${api.label} accepted the message without this recipient.`;
      return failure(api.codes.message, message, { retryable: false, about: 'message', ...parts, response });
    }
    const id = providerMessageId === null ? {} : { providerMessageId };
    return delivered(response, { ...id, ...parts });
  }
  const error = api.errorOf(read);
  const named = error !== null && Object.hasOwn(api.errors, error) ? api.errors[error] : undefined;
  const refusal = named ?? api.statuses[statusCode] ?? refusalByStatus(statusCode);
  const asked = parseRetryAfter(retryAfter, nowMs) ?? api.retryAfterMsOf?.(read, nowMs) ?? null;
  const name = error !== null && ERROR_NAME.test(error) ? ` (${error})` : '';
  const isOfRecipient = refusal === 'recipient';
  const isOfMessage = refusal === 'message' || isOfRecipient;
  const message = `${api.label} answered ${statusCode}${name}.`;
  return failure(api.codes[isOfRecipient ? 'message' : refusal], message, {
    status: refusal === 'unknown' ? 'unknown' : 'failed',
    retryable: !isOfMessage,
    about: isOfMessage ? 'message' : undefined,
    ...(isOfRecipient && recipient !== undefined
      ? refusedParts(
          [recipient, ...refused.filter((email) => !isSameAddress(email, recipient))],
          recipient,
          message,
        )
      : {}),
    retryAfterMs: refusal === 'later' ? asked : null,
    response,
  });
}

/**
 * The input with the access key of the installation instead of credentials, and without the time that this took. A failure is
 * retried: it is the operator's to repair.
 */
async function withAwsAccess<Input extends ServiceInput>(
  codes: ServiceApi<Input>['codes'],
  access: AwsAccess,
  input: Input,
  getCredentials: SenderOptions['awsCredentials'],
): Promise<Input | AttemptOutcome> {
  const { nowMs, timeoutMs } = input;
  const refuse = (why: string) => failure(codes.account, `Nothing was sent: ${why}.`);
  if (!getCredentials) return refuse('this worker has no access to AWS of its own (AWS_KEYLESS)');
  const startedMs = nowMs();
  const limit = limitTime(input);
  try {
    const got = await Promise.race([getCredentials(access, startedMs), limit.ended]);
    if (got === 'ended') throw new Error('the attempt has ended');
    const { accessKeyId, secretAccessKey, sessionToken } = got;
    const credentials = {
      access_key_id: accessKeyId,
      secret_access_key: secretAccessKey,
      ...(sessionToken === undefined ? {} : { session_token: sessionToken }),
    };
    return { ...input, credentials, timeoutMs: Math.max(1, timeoutMs - (nowMs() - startedMs)) };
  } catch (error) {
    const name = error instanceof Error && ERROR_NAME.test(error.name) ? ` (${error.name})` : '';
    return refuse(`the worker got no access key from AWS${name}`);
  } finally {
    limit.stop();
  }
}

type Named = Pick<ServiceApi<ServiceInput>, 'label' | 'codes'>;

/** Classifies an exchange without a response. Once connected, the request may have arrived. */
function classifyBroken({ label, codes }: Named, { code, reason, connected }: Broken): AttemptOutcome {
  const why = reason ? ` ${reason}` : '';
  if (code === ADDRESS_BLOCKED) {
    const message = `The address of ${label} is not allowed.${why}`;
    return failure(codes.connection, message, { retryable: false });
  }
  if (!connected)
    return failure(codes.connection, `No connection to ${label} could be opened (${code}).${why}`);
  return failure(codes.unknown, `${label} sent no complete response (${code}).`, { status: 'unknown' });
}

/**
 * Creates the client of a service with an HTTP API: one POST within the time limit. It connects only to addresses
 * that the policy allows, follows no redirect and reads at most 16 KiB. Credentials are hidden in the response.
 */
export function createServiceClient<Input extends ServiceInput>(
  api: ServiceApi<Input>,
  options: SenderOptions,
) {
  const http = createHttpClient(options);
  return {
    async send(given: Input): Promise<AttemptOutcome> {
      const access = api.awsAccessOf?.(given) ?? null;
      const input = access ? await withAwsAccess(api.codes, access, given, options.awsCredentials) : given;
      if (isOutcome(input)) return input;
      const request = await api.request(input);
      if (!request) return failure(api.codes.account, 'Nothing was sent: the settings are not complete.');
      if (isOutcome(request)) return request;
      const { timeoutMs, signal, nowMs, credentials } = input;
      const hidden = hidingResponses(Object.values(credentials));
      let headers: HeaderList = [];
      const reportExchange = (facts: ExchangeFacts) => {
        const shown = hidden.facts(facts);
        headers = shown.responseHeaders ?? headers;
        input.reportExchange?.(shown);
      };
      const { response, retryAfter, broken } = hidden.exchange(
        await http.send({ ...request, timeoutMs, signal, reportExchange }),
      );
      // The response of a broken exchange counts if its status was received: a 2xx says that the message was accepted.
      if (!response) return classifyBroken(api, broken);
      const recipient = api.recipientOf?.(input);
      return classifyResponse(api, response, { retryAfter, headers, nowMs: nowMs(), recipient });
    },
    close: http.close,
  };
}
