import { type AttemptErrorCode, isJsonObject, type JsonObject, parseRetryAfter } from '@postrider/domain';
import { createHttpSender } from '../../../http/create-sender.ts';
import { hidingAnswers } from '../../../http/hidden-answers.ts';
import type { Answer, BrokenExchange, Exchange } from '../../../http/sender.ts';
import {
  type ExchangeFacts,
  failure,
  type HeaderList,
  type SenderOptions,
  type SendFailure,
  type SendResult,
} from '../../../sender.ts';
import { isLiteralRefused } from '../../../vetted-address.ts';
import type { EmailSender, EmailToSend } from '../../provider.ts';

export interface ProviderRequest {
  readonly url: URL;
  /** Headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A response of a provider. */
export interface ProviderAnswer {
  readonly statusCode: number;
  /** Empty if the response is not a JSON object. */
  readonly body: JsonObject;
  /** The value of a header, or null. */
  header(name: string): string | null;
}

/**
 * The meaning of an error response. `message`: the message is refused for good. `account`: refused until the operator
 * changes something at the provider or in the channel. `later`: not accepted now. `unknown`: it may have been
 * accepted.
 */
export type Refusal = 'message' | 'account' | 'later' | 'unknown';

/** The HTTP API of a provider. */
export interface ProviderApi {
  /** Name in messages. */
  readonly label: string;
  /** Builds the request. Null if the settings or credentials are incomplete. */
  request(email: EmailToSend): ProviderRequest | null | Promise<ProviderRequest | null>;
  /** The id that the provider gave an accepted message. */
  messageIdOf(answer: ProviderAnswer): string | null;
  /** The name or number of the error in a response. */
  errorOf(answer: ProviderAnswer): string | null;
  /** The meaning of the provider's errors, by {@link errorOf}. Others are classified by their status. */
  readonly errors: Readonly<Record<string, Refusal>>;
  /** The meaning of a status where the provider documents more than {@link refusalByStatus}. */
  readonly statuses: Readonly<Record<number, Refusal>>;
  /** When to try again, in milliseconds from now, for a provider that does not send `Retry-After`. */
  retryAfterMsOf?(answer: ProviderAnswer, nowMs: number): number | null;
}

const CODES: Readonly<Record<Refusal, AttemptErrorCode>> = {
  message: 'email_permanent_rejection',
  account: 'email_auth_failed',
  later: 'email_temporary_rejection',
  unknown: 'email_outcome_unknown',
};

const MAX_MESSAGE_ID_LENGTH = 200;
/** Error names that may be shown to operators: other text from a provider could contain a payload. */
const ERROR_NAME = /^[\w.-]{1,64}$/;

/**
 * The meaning of a status by RFC 9110 alone. A client error means that nothing was done. A server error leaves the
 * outcome open: a gateway that gives up says nothing about the server behind it.
 */
export function refusalByStatus(status: number): Refusal {
  if (status >= 500) return 'unknown';
  if (status === 408 || status === 425 || status === 429) return 'later';
  // The host of the service or a resource in the settings does not exist. Redirects are not followed.
  if (status < 400 || status === 404 || status === 405 || status === 407) return 'account';
  return status === 401 || status === 402 || status === 403 ? 'account' : 'message';
}

function readAnswer({ statusCode, bodyExcerpt }: Answer, headers: HeaderList): ProviderAnswer {
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

/** Classifies a response (docs/specification.md, "Email providers"). */
export function classifyAnswer(
  api: ProviderApi,
  answer: Answer,
  { headers, nowMs }: { headers: HeaderList; nowMs: number },
): SendResult {
  const { statusCode, bodyExcerpt } = answer;
  const read = readAnswer(answer, headers);
  if (statusCode >= 200 && statusCode < 300) {
    const providerMessageId = storableId(api.messageIdOf(read));
    const response = { statusCode, bodyExcerpt };
    return { outcome: 'delivered', response, ...(providerMessageId === null ? {} : { providerMessageId }) };
  }
  const error = api.errorOf(read);
  const named = error !== null && Object.hasOwn(api.errors, error) ? api.errors[error] : undefined;
  const refusal = named ?? api.statuses[statusCode] ?? refusalByStatus(statusCode);
  const asked = parseRetryAfter(answer.retryAfter, nowMs) ?? api.retryAfterMsOf?.(read, nowMs) ?? null;
  const name = error !== null && ERROR_NAME.test(error) ? ` (${error})` : '';
  return failure(CODES[refusal], `${api.label} answered ${statusCode}${name}.`, {
    outcome: refusal === 'unknown' ? 'unknown' : 'failed',
    retryable: refusal !== 'message',
    retryAfterMs: refusal === 'later' ? asked : null,
    response: { statusCode, bodyExcerpt },
  });
}

/** Classifies an exchange without a response. Once connected, the request may have arrived. */
function classifyBroken(label: string, { code, connected }: BrokenExchange): SendFailure {
  if (code === 'POSTRIDER_ADDRESS_BLOCKED') return addressRefused(label);
  if (!connected)
    return failure('email_connection_failed', `No connection to ${label} could be made (${code}).`);
  return failure('email_outcome_unknown', `${label} did not answer in full (${code}).`, {
    outcome: 'unknown',
  });
}

function addressRefused(label: string): SendFailure {
  return failure('email_connection_failed', `The address of ${label} is not allowed.`, { retryable: false });
}

/** The response of a broken exchange counts if its status was received: a 2xx says that the message was accepted. */
const answerOf = (exchange: Exchange): Answer | null =>
  exchange.outcome === 'answered' ? exchange.answer : exchange.broken.answer;

/**
 * Creates the sender of a provider with an HTTP API: one POST within the time limit. It connects only to addresses
 * that the policy allows, follows no redirect and reads at most 16 KiB.
 */
export function createProviderSender(api: ProviderApi, options: SenderOptions): EmailSender {
  const http = createHttpSender(options);
  return {
    async send(email) {
      const request = await api.request(email);
      if (!request) return failure('email_auth_failed', "The sender's settings are not complete.");
      if (isLiteralRefused(request.url, options.isAddressAllowed)) return addressRefused(api.label);
      const { timeoutMs, signal, nowMs, credentials } = email;
      const hidden = hidingAnswers(Object.values(credentials));
      let headers: HeaderList = [];
      const note = (facts: ExchangeFacts) => {
        const shown = hidden.facts(facts);
        headers = shown.responseHeaders ?? headers;
        email.note?.(shown);
      };
      const exchange = hidden.exchange(await http.post({ ...request, timeoutMs, signal, note }));
      const answer = answerOf(exchange);
      if (!answer && exchange.outcome === 'broken') return classifyBroken(api.label, exchange.broken);
      if (!answer) throw new TypeError('an exchange without an answer is broken');
      return classifyAnswer(api, answer, { headers, nowMs: nowMs() });
    },
    close: http.close,
  };
}
