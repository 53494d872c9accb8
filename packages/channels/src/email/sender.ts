import { createHash } from 'node:crypto';
import type { AttemptOutcome, TriedAccount } from '@postrider/domain';
import { type Delivery, failure, type Sender, type SenderOptions } from '../sender.ts';
import {
  accountsOf,
  domainOf,
  type FailoverPolicy,
  failoverOf,
  type MailAccount,
  maySendFor,
} from './accounts.ts';
import { type AccountBreakers, type BreakerKey, createAccountBreakers, isRejected } from './breakers.ts';
import { readFrom } from './config.ts';
import { credentialsOf } from './credentials.ts';
import type { EmailContent } from './index.ts';
import { emailMessage, shownMailHeaders } from './message.ts';
import type { EmailProvider, ProviderClient } from './provider.ts';

/** No further account is tried with less than this time left, in milliseconds. */
const MIN_SHARE_MS = 500;
/** The longest stored message of an account that was tried before, in characters. */
const MAX_TRIED_MESSAGE = 300;

const HASH_BITS = 32;

/** A number between 0 and 1, always the same for a run and an account. */
function chance(runId: string, account: string): number {
  const digest = createHash('sha256').update(`${runId} ${account}`).digest();
  return (digest.readUInt32BE() + 1) / (2 ** HASH_BITS + 1);
}

/**
 * The order in which a run tries the accounts, the same for all its attempts. Over many runs the accounts come first in
 * proportion to their weight (weighted rendezvous hashing). Accounts of weight 0 come last, in the order of the
 * config.
 */
export function orderAccounts(accounts: readonly MailAccount[], runId: string): readonly MailAccount[] {
  return accounts
    .map((account) => ({
      account,
      rank:
        account.weight === 0
          ? Number.NEGATIVE_INFINITY
          : Math.log(chance(runId, account.name)) / account.weight,
    }))
    .sort((one, other) => (one.rank === other.rank ? 0 : other.rank - one.rank))
    .map(({ account }) => account);
}

type Failure = ReturnType<typeof failure>;

/**
 * Whether another account may be tried after this outcome. Never after a permanent rejection of the mail or its
 * recipient.
 */
function mayMoveOn(outcome: AttemptOutcome, policy: FailoverPolicy): outcome is Failure {
  if (outcome.status === 'succeeded' || isRejected(outcome)) return false;
  return outcome.status === 'failed' || policy === 'eager';
}

const toTried = (account: string, { status, error }: Failure): TriedAccount => ({
  sender: account,
  outcome: status,
  code: error.code,
  message: error.message.slice(0, MAX_TRIED_MESSAGE),
});

/**
 * The outcome of an attempt whose last account returned `last`. If an earlier account may have taken the mail, the
 * outcome is unknown.
 */
function conclude(
  last: AttemptOutcome,
  account: string,
  before: readonly Failure[],
  tried: TriedAccount[],
): AttemptOutcome {
  if (before.length === 0) return { ...last, account };
  if (last.status === 'succeeded') return { ...last, account, tried };
  const isUnknown = [...before, last].some(({ status }) => status === 'unknown');
  const all = [...before, last].map(({ error }) => error);
  const waits = all.flatMap(({ retryAfterMs }) => (retryAfterMs === null ? [] : [retryAfterMs]));
  return {
    ...last,
    account,
    tried,
    status: isUnknown ? 'unknown' : 'failed',
    error: {
      ...last.error,
      message: `${last.error.message} Tried before: ${tried.map((one) => `${one.sender} (${one.code})`).join(', ')}.`,
      retryable: !isRejected(last) && all.some(({ retryable }) => retryable),
      retryAfterMs: waits.length === all.length ? Math.min(...waits) : null,
    },
  };
}

/** An attempt through several accounts. Its time limit is for all of them. */
interface FailoverAttempt extends Pick<Delivery<unknown>, 'ids' | 'timeoutMs' | 'signal' | 'nowMs'> {
  readonly channel: Pick<Delivery<unknown>['channel'], 'id' | 'revision'>;
  readonly policy: FailoverPolicy;
}

/**
 * Sends a mail through the first of several accounts that takes it. `safe` tries the next account only after one that
 * certainly did not take the mail, `eager` also after an unknown outcome. Accounts with an open breaker come last.
 * Each account gets half of the remaining time and the last one all of it, so that the attempt ends within its lease.
 * @param accounts at least two
 * @param send sends through one account within a time limit in milliseconds
 */
export async function sendWithFailover(
  accounts: readonly MailAccount[],
  { ids, channel, policy, timeoutMs, signal, nowMs }: FailoverAttempt,
  breakers: AccountBreakers,
  send: (account: MailAccount, timeoutMs: number) => Promise<AttemptOutcome>,
): Promise<AttemptOutcome> {
  const deadline = nowMs() + timeoutMs;
  const { id: channelId, revision } = channel;
  const keyOf = ({ name }: MailAccount): BreakerKey => ({ channelId, revision, account: name });
  const before: Failure[] = [];
  const tried: TriedAccount[] = [];

  /** Tries one account. The breaker is always settled, so that a probe cannot stay taken. */
  async function tryAccount(account: MailAccount, isLast: boolean): Promise<AttemptOutcome> {
    const leftMs = Math.max(1, deadline - nowMs());
    let result: AttemptOutcome | null = null;
    try {
      result = await send(account, Math.ceil(isLast ? leftMs : leftMs / 2));
      return result;
    } finally {
      // An attempt that was aborted from outside says nothing about the account.
      breakers.settle(keyOf(account), signal.aborted ? null : result, nowMs());
    }
  }

  /** Yields each account once. The probe of an account that is down is taken only when its turn comes. */
  function* inOrder(): Generator<MailAccount> {
    const down: MailAccount[] = [];
    for (const account of orderAccounts(accounts, ids.run)) {
      if (breakers.acquire(keyOf(account), nowMs())) yield account;
      else down.push(account);
    }
    yield* down;
  }

  let left = accounts.length;
  for (const account of inOrder()) {
    left -= 1;
    const result = await tryAccount(account, left === 0);
    const isOver = left === 0 || signal.aborted || deadline - nowMs() < MIN_SHARE_MS;
    if (isOver || !mayMoveOn(result, policy)) return conclude(result, account.name, before, tried);
    before.push(result);
    tried.push(toTried(account.name, result));
  }
  return failure('smtp_connection_failed', 'The channel has no sender for this mail.');
}

/**
 * Creates the email sender. It builds the message, which is the same on every attempt, and sends it through one of
 * the channel's accounts.
 */
export function createEmailSender(
  clients: readonly { readonly provider: EmailProvider; readonly client: ProviderClient }[],
  { onAccountState, openBreakers }: Pick<SenderOptions, 'onAccountState' | 'openBreakers'> = {},
): Sender<EmailContent> {
  const breakers = createAccountBreakers(onAccountState, openBreakers);
  const providers = clients.map(({ provider }) => provider);
  const clientOf = new Map(clients.map(({ provider, client }) => [provider, client]));
  return {
    async send(delivery) {
      const { channel, reportExchange } = delivery;
      const from = readFrom(channel.config);
      const accounts = accountsOf(providers, channel.config);
      if (!from || accounts.length === 0) {
        return failure('smtp_connection_failed', "The channel's configuration is incomplete.");
      }
      const mail = emailMessage(delivery, from);
      if (mail === null) {
        return failure('smtp_permanent_rejection', 'The recipient has no address that mail can be sent to.', {
          retryable: false,
          about: 'message',
        });
      }
      reportExchange?.({ requestHeaders: shownMailHeaders(mail) });
      const send = (account: MailAccount, timeoutMs: number): Promise<AttemptOutcome> => {
        const { name, provider, settings } = account;
        const client = clientOf.get(provider);
        if (!client) throw new Error(`there is no client of the provider ${provider.name}`);
        const credentials = credentialsOf(account, delivery.credentials);
        return client.send({ ...delivery, account: name, settings, credentials, mail, timeoutMs });
      };
      const domain = domainOf(from.email);
      const allowed = accounts.filter((account) => maySendFor(account, domain));
      const [first] = allowed;
      if (!first) {
        return failure('smtp_connection_failed', `The channel has no sender that may send for ${domain}.`);
      }
      if (allowed.length === 1) return { ...(await send(first, delivery.timeoutMs)), account: first.name };
      const policy = failoverOf(channel.config);
      return sendWithFailover(allowed, { ...delivery, policy }, breakers, send);
    },
    close() {
      for (const { client } of clients) client.close();
    },
  };
}
