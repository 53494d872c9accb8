import { isDeepStrictEqual } from 'node:util';
import type { ConsoleSessionRecord, OperatorRecord } from '@postrider/domain';
import type { Queryable, UnboundDatabase } from '../client.ts';
import { lockOperatorToken, revokeOperatorToken } from '../configure/operator-tokens.ts';
import { isEmailTaken, recordOperator } from '../configure/operators.ts';
import { lockRights, readRole } from '../configure/roles.ts';
import { type AttemptLimit, chargeAttempt } from '../statements/sign-in-limits.ts';
import type { ConfigureDeps } from '../transactions/audit.ts';
import { inTransaction } from '../transactions/transaction.ts';
import { ABSOLUTE_S, endWithIssued, insertSession, recordSession } from './session-rows.ts';
import type { NewSession } from './sessions.ts';

/** A person whom a provider has confirmed, with the rights that the configuration gives to their group. */
export interface ConfirmedPerson {
  readonly provider: string;
  readonly subject: string;
  /** Verified by the provider. */
  readonly email: string;
  readonly name: string;
  /** The code of a role. */
  readonly role: string;
  /** UUIDs; both null: no bounds. */
  readonly tenantIds: readonly string[] | null;
  readonly environmentIds: readonly string[] | null;
}

/** Why a confirmed person is not an operator: another operator has the address, they are disabled, or the role does not exist. */
export type PersonRefused = 'email_taken' | 'disabled' | 'unknown_role';

type Kept = { readonly outcome: 'kept'; readonly operator: OperatorRecord };
type NotKept = { readonly outcome: 'refused'; readonly reason: PersonRefused };

const NOT_KEPT = (reason: PersonRefused): NotKept => ({ outcome: 'refused', reason });

/** What a provider keeps up to date. */
const pick = ({ role, bounded, tenantIds, environmentIds, name, email }: OperatorRecord) => ({
  role,
  bounded,
  tenantIds,
  environmentIds,
  name,
  email,
});

/** The actor has the operator's own address, also if the provider reports that of another operator. */
const namedAs = (deps: ConfigureDeps, { email }: OperatorRecord): ConfigureDeps => ({
  ...deps,
  actor: { ...deps.actor, name: email },
});

/**
 * Creates the operator of a person, or brings them up to date, with an audit entry for each change. The subject is the key. An
 * address that another operator has is never taken over: the operator then keeps the old one, and a new person is refused.
 */
async function keepOperator(
  tx: Queryable,
  deps: ConfigureDeps,
  person: ConfirmedPerson,
): Promise<Kept | NotKept> {
  const { provider: source, subject: oidcSubject, email, name, role, tenantIds, environmentIds } = person;
  await lockRights(tx);
  if (!(await readRole(tx, role))) return NOT_KEPT('unknown_role');
  const rights = {
    role,
    bounded: tenantIds !== null || environmentIds !== null,
    tenantIds: [...(tenantIds ?? [])],
    environmentIds: [...(environmentIds ?? [])],
  };
  const before = await tx.operator.findFirst({ where: { source, oidcSubject } });
  if (before?.disabledAt) return NOT_KEPT('disabled');
  const taken = await isEmailTaken(tx, email, before?.id);
  if (!before && taken) return NOT_KEPT('email_taken');
  const data = { ...rights, name, email: before && taken ? before.email : email };
  if (before && isDeepStrictEqual(data, pick(before))) return { outcome: 'kept', operator: before };
  const operator = before
    ? await tx.operator.update({ where: { id: before.id }, data })
    : await tx.operator.create({ data: { id: deps.newId(), source, oidcSubject, ...data } });
  const action = before ? 'operator.updated' : 'operator.created';
  await recordOperator(tx, namedAs(deps, operator), { action, before, after: operator });
  return { outcome: 'kept', operator };
}

interface ProviderSignIn extends NewSession {
  readonly person: ConfirmedPerson;
  /** The UUID of the new session, to which its tokens are bound. */
  readonly sessionId: string;
  /** The provider's own session; null if it names none. */
  readonly sid: string | null;
  readonly sealedTokens: string;
  /** How long it lasts unless the provider confirms it again. */
  readonly seconds: number;
}

/** Opens a session of the operator whom a provider has confirmed, in one transaction with their rights. */
export function signInByProvider(
  given: ConfigureDeps,
  { person, sessionId, sid, sealedTokens, seconds, hash, replaces, client }: ProviderSignIn,
): Promise<{ readonly outcome: 'opened'; readonly session: ConsoleSessionRecord } | NotKept> {
  return inTransaction(given, async (tx) => {
    const kept = await keepOperator(tx, given, person);
    if (kept.outcome === 'refused') return kept;
    const deps = namedAs(given, kept.operator);
    const owner = { role: 'operator', operatorId: kept.operator.id } as const;
    const lifeSeconds = Math.min(seconds, ABSOLUTE_S);
    const row = { id: sessionId, owner, client, secret: { hash }, lifeSeconds };
    const session = await insertSession(tx, deps, row);
    const { provider, subject } = person;
    await tx.$executeRaw`
      INSERT INTO provider_sessions (session_id, provider, subject, sid, sealed_tokens, checked_at)
      VALUES (${sessionId}::uuid, ${provider}, ${subject}, ${sid}, ${sealedTokens}, clock_timestamp())`;
    await recordSession(tx, deps, { action: 'console_session.opened', session });
    await endWithIssued(tx, deps, replaces);
    return { outcome: 'opened', session };
  });
}

/** What a session needs to be confirmed again. */
interface SessionToConfirm {
  readonly subject: string;
  readonly sealedTokens: string;
}

/**
 * Claims a session whose provider was not asked for this long, so that only one process asks. Null if another one does, or the
 * session has ended.
 */
export async function claimConfirmation(
  db: UnboundDatabase,
  sessionId: string,
  afterSeconds: number,
): Promise<SessionToConfirm | null> {
  const [claimed = null] = await db.$queryRaw<SessionToConfirm[]>`
    UPDATE provider_sessions SET checked_at = clock_timestamp()
     WHERE session_id = ${sessionId}::uuid
       AND checked_at <= clock_timestamp() - make_interval(secs => ${afterSeconds}::float8)
       AND EXISTS (SELECT FROM console_sessions WHERE console_sessions.id = session_id AND ended_at IS NULL)
    RETURNING subject, sealed_tokens AS "sealedTokens"`;
  return claimed;
}

/** The provider's tokens of a session; null if no provider confirmed it. */
export async function findSealedTokens(
  db: UnboundDatabase,
  sessionId: string,
): Promise<{ readonly provider: string; readonly sealedTokens: string } | null> {
  return db.providerSession.findFirst({
    where: { sessionId },
    select: { provider: true, sealedTokens: true },
  });
}

/**
 * Stores that the provider has confirmed a session: the operator gets the current rights, and the session lasts for `seconds`
 * more. Refused if the person is no longer an operator.
 */
export function confirmSession(
  deps: ConfigureDeps,
  {
    sessionId,
    person,
    sealedTokens,
    seconds,
  }: Pick<ProviderSignIn, 'sessionId' | 'person' | 'sealedTokens' | 'seconds'>,
): Promise<Kept | NotKept> {
  return inTransaction(deps, async (tx) => {
    const kept = await keepOperator(tx, deps, person);
    if (kept.outcome === 'refused') return kept;
    await tx.$executeRaw`
      UPDATE provider_sessions SET sealed_tokens = ${sealedTokens} WHERE session_id = ${sessionId}::uuid`;
    await tx.$executeRaw`
      UPDATE console_sessions
         SET expires_at = GREATEST(expires_at, LEAST(clock_timestamp() + make_interval(secs => ${seconds}::float8),
                                                     created_at + make_interval(secs => ${ABSOLUTE_S}::float8)))
       WHERE id = ${sessionId}::uuid AND ended_at IS NULL`;
    return kept;
  });
}

/** Sessions that a provider ends: one of its sessions, or all of a person. At least one is given. */
interface ProviderSessions {
  readonly provider: string;
  readonly subject: string | null;
  readonly sid: string | null;
}

/**
 * Ends the sessions that a provider no longer confirms, with the links that they issued and the tokens that they approved. With
 * `once`, only if this limit allows it, in the same transaction: a message that could not be carried out can be sent again. Returns
 * whether it did.
 */
export function endProviderSessions(
  deps: ConfigureDeps,
  { provider, subject, sid }: ProviderSessions,
  once: AttemptLimit | null = null,
): Promise<boolean> {
  return inTransaction(deps, async (tx) => {
    if (once && (await chargeAttempt(tx, [once])).outcome === 'refused') return false;
    const sessions = await tx.$queryRaw<Found[]>`
      SELECT session_id AS id FROM provider_sessions JOIN console_sessions ON console_sessions.id = session_id
       WHERE provider = ${provider} AND ended_at IS NULL
         AND (${sid}::text IS NULL OR sid = ${sid}) AND (${subject}::text IS NULL OR subject = ${subject})`;
    const tokens = await tx.$queryRaw<Found[]>`
      SELECT operator_tokens.id FROM operator_tokens JOIN operators ON operators.id = operator_id
       WHERE revoked_at IS NULL AND source = ${provider} AND provider_sid IS NOT NULL
         AND (${sid}::text IS NULL OR provider_sid = ${sid}) AND (${subject}::text IS NULL OR oidc_subject = ${subject})
       ORDER BY operator_tokens.id`;
    await endAll(tx, deps, { sessions, tokens });
    return true;
  });
}

type Found = { readonly id: string };

async function endAll(
  tx: Queryable,
  deps: ConfigureDeps,
  { sessions, tokens }: { readonly sessions: readonly Found[]; readonly tokens: readonly Found[] },
): Promise<void> {
  const sessionIds = sessions.map(({ id }) => id);
  await endWithIssued(tx, deps, sessionIds);
  for (const { id } of tokens) {
    const token = await lockOperatorToken(tx, id);
    if (token) await revokeOperatorToken(tx, deps, token);
  }
}

/**
 * Ends everything that a person has who is no longer entitled: their sessions, also those that a link opened, and the tokens that
 * are theirs, such as those of `postrider login`.
 */
export function withdrawPerson(
  deps: ConfigureDeps,
  { provider, subject }: Pick<ConfirmedPerson, 'provider' | 'subject'>,
): Promise<void> {
  return inTransaction(deps, async (tx) => {
    const sessions = await tx.$queryRaw<Found[]>`
      SELECT console_sessions.id FROM console_sessions JOIN operators ON operators.id = operator_id
       WHERE ended_at IS NULL AND source = ${provider} AND oidc_subject = ${subject}`;
    const tokens = await tx.$queryRaw<Found[]>`
      SELECT operator_tokens.id FROM operator_tokens JOIN operators ON operators.id = operator_id
       WHERE revoked_at IS NULL AND source = ${provider} AND oidc_subject = ${subject} ORDER BY operator_tokens.id`;
    await endAll(tx, deps, { sessions, tokens });
  });
}
