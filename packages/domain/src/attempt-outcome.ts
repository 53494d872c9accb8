import type { AttemptErrorCode } from './error-codes.ts';
import type { NextRunStatus } from './states.ts';
import type { JsonObject } from './storable-json.ts';

/** Why an attempt did not succeed. */
export interface AttemptError {
  /** Where it happened: decrypting the channel's secrets, rendering, keeping the lease, or sending. */
  readonly stage: 'secrets' | 'render' | 'lease' | 'send';
  readonly code: AttemptErrorCode;
  /** For the operator. Contains neither secrets nor payload. */
  readonly message: string;
  /** Whether another attempt may succeed. This is about the error: the last attempt of a run is not repeated. */
  readonly retryable: boolean;
  /** The delay that the receiver asked for, in milliseconds. */
  readonly retryAfterMs: number | null;
  /** Whether the endpoint says that it is permanently gone. */
  readonly endpointGone: boolean;
  /**
   * `message`: only this message or its recipient is concerned. Left out: the sender, that is its account, its
   * client or the way to it, so that other messages fail as well.
   */
  readonly about?: 'message' | undefined;
}

export interface RemoteResponse {
  /** HTTP status code or SMTP reply code. */
  readonly statusCode: number;
  /** The beginning of the response, as text that PostgreSQL can store. */
  readonly bodyExcerpt: string | null;
}

/** A mail account that was tried before the one that decided the attempt, as stored in `attempts.tried`. */
export interface TriedAccount {
  /** Its name in the `senders` of the channel's config. */
  readonly sender: string;
  /** `unknown`: it may have taken the message, which can then arrive twice. */
  readonly outcome: 'failed' | 'unknown';
  readonly code: AttemptErrorCode;
  /** For the operator. Contains neither secrets nor payload. */
  readonly message: string;
}

/** An address to which the remote end refused the message in the session itself, and to which it is not sent again. */
export interface BouncedAddress {
  readonly email: string;
  /** Whether the address does not exist, so that it must not be used again. */
  readonly permanent: boolean;
  /** What the remote end said: one line, or null. */
  readonly reason: string | null;
}

/** A copy that an attempt did not reach, as stored in `attempts.skipped_copies`. */
export interface SkippedCopy {
  readonly email: string;
  /** `suppressed`: it was not sent. `refused`: the remote end refused it, for good or for now. */
  readonly outcome: 'suppressed' | 'refused';
  /** What the remote end said: one line, or null. */
  readonly reason: string | null;
}

/** What an attempt sent: the SHA-256 of its content in hexadecimal, and facts about the exchange. */
export interface SentContent {
  readonly sha256: string;
  readonly exchange: JsonObject;
}

/** What the stage that ended the attempt knows: the sender, or one before it if nothing was sent. */
interface Ended {
  readonly response: RemoteResponse | null;
  /** The name of the mail account that decided, see {@link TriedAccount}; left out for a kind without mail accounts. */
  readonly account?: string | undefined;
  /** Whether the receiver asked to pause the channel. */
  readonly asksForPause?: true | undefined;
  /** The provider's id of the message: at most 200 characters of text that PostgreSQL can store. */
  readonly providerMessageId?: string | undefined;
  /** The mail accounts tried before, in order; left out if there were none. */
  readonly tried?: readonly TriedAccount[] | undefined;
  /** The refused addresses, also copies of a message that was taken; left out if there are none. */
  readonly bounces?: readonly BouncedAddress[] | undefined;
  /** The copies that it did not reach, also of a message that was taken; left out if there are none. */
  readonly skippedCopies?: readonly SkippedCopy[] | undefined;
}

/** What the worker adds before it writes the outcome. */
interface Decided {
  /** What was sent; left out if nothing was. */
  readonly sent?: SentContent | undefined;
  readonly renderMs: number;
  readonly durationMs: number;
  /** The next status of the run. */
  readonly next:
    | { readonly status: Exclude<NextRunStatus<'running'>, 'retrying'> }
    | { readonly status: 'retrying'; readonly delayMs: number };
  /** Whether the event expires before another attempt. Then the run ends as `expired`, at the latest when it is due. */
  readonly expires: boolean;
}

/** What is known after the outcome was written. */
interface Written {
  /**
   * `stale`: the lease was lost and nothing was written. `uncertain`: the response to an earlier try was lost, so that
   * try may have been written.
   */
  readonly written: 'finished' | 'stale' | 'uncertain';
}

/**
 * How an attempt ended, as plain data. Each stage completes it: `ended` is made by the stage that ended the attempt, `decided`
 * says what happens to the run, `written` whether PostgreSQL has it.
 *
 * - `failed`: the message was certainly not taken.
 * - `unknown`: it may have been taken.
 */
export type AttemptOutcome<Stage extends 'ended' | 'decided' | 'written' = 'ended'> = Ended &
  (
    | { readonly status: 'succeeded'; readonly error: null }
    | { readonly status: 'failed' | 'unknown'; readonly error: AttemptError }
  ) &
  (Stage extends 'ended' ? unknown : Decided) &
  (Stage extends 'written' ? Written : unknown);
