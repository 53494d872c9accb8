import {
  type Actor,
  claimConfirmation,
  confirmSession,
  inShare,
  type UnboundDatabase,
  type UsableSession,
  withdrawPerson,
} from '@postrider/db';
import { formatId, type IdSource, type SecretBox } from '@postrider/domain';
import type { BoundedLog } from '@postrider/telemetry';
import type { OidcClient } from './client.ts';
import { decryptTokens, encryptTokens } from './client.ts';
import { failureOf, isWithdrawn, personOf } from './failures.ts';

/** Sessions that this process asks providers about at once. Others are asked about when they are read next. */
const MAX_AT_ONCE = 8;

interface ConfirmDeps {
  readonly db: UnboundDatabase;
  readonly newId: IdSource;
  readonly secretBox: SecretBox;
  readonly providers: readonly OidcClient[];
  readonly log: BoundedLog;
}

/**
 * Creates the check of open sessions at their providers. Call it for each session that is read: one whose provider was not asked
 * for its interval is checked in the background, by one process. The operator then has the rights of the current groups; if the
 * provider withdraws the person, or no group is left, their sessions and tokens end. While the provider cannot be reached, a session stays
 * until its time has passed without a confirmation.
 */
export function createConfirmation(deps: ConfirmDeps): (session: UsableSession) => void {
  const { db, newId, secretBox, log } = deps;
  const clients = new Map(deps.providers.map((client) => [client.provider.id, client]));
  const checking = new Set<string>();

  async function check(session: UsableSession, { provider, confirm }: OidcClient): Promise<void> {
    const { id: sessionId } = session;
    const claimed = await claimConfirmation(db, sessionId, provider.recheckSeconds);
    const tokens = claimed && decryptTokens(claimed.sealedTokens, sessionId, secretBox);
    if (!claimed || !tokens) return;
    const { subject } = claimed;
    const actor = actorOf(session);
    const withdraw = (why: string) => {
      log.warn(`${provider.id} ${why}`, 'a provider withdrew an operator', { provider: provider.id, why });
      return withdrawPerson({ db, newId, actor }, { provider: provider.id, subject });
    };
    let confirmed: Awaited<ReturnType<typeof confirm>>;
    try {
      confirmed = await confirm(subject, tokens);
    } catch (error) {
      if (isWithdrawn(error)) return withdraw('refused');
      const failure = failureOf(error);
      log.warn(`${provider.id} ${failure}`, 'a provider did not confirm a session', { failure, error });
      return;
    }
    if (!confirmed) return;
    const person = personOf(provider, confirmed.identity);
    if (typeof person === 'string') return withdraw(person);
    const sealedTokens = encryptTokens(confirmed.tokens, sessionId, secretBox);
    const seconds = provider.sessionSeconds;
    const kept = await confirmSession({ db, newId, actor }, { sessionId, person, sealedTokens, seconds });
    if (kept.outcome === 'refused') await withdraw(kept.reason);
  }

  return (session) => {
    const { id, confirmed } = session;
    const client = confirmed && clients.get(confirmed.provider);
    if (!client || confirmed.secondsAgo < client.provider.recheckSeconds) return;
    if (checking.has(id) || checking.size >= MAX_AT_ONCE) return;
    checking.add(id);
    inShare('operate', () => check(session, client), 'sign-in')
      .catch((error: unknown) => log.warn('confirm', 'a session could not be checked', { error }))
      .finally(() => checking.delete(id));
  };
}

/** Changes that follow from a check are the operator's own: the provider reports them. */
const actorOf = ({ id, actor }: UsableSession): Actor => ({
  name: actor,
  kind: 'operator',
  credentialId: formatId('ses', id),
  address: null,
  reason: null,
  requestId: null,
  traceId: null,
});
