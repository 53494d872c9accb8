import {
  conflict,
  createToken,
  formatId,
  formatTime,
  hashToken,
  type PortalLocale,
  type PortalSettings,
  type PortalTheme,
  reject,
  tokenLastFour,
  tokenPrefix,
} from '@postrider/domain';
import { type ConsumerKey, lockConsumer } from '../channels/consumer-record.ts';
import { bytes, type Queryable, type UnboundDatabase } from '../client.ts';
import { type Actor, type ConfigureDeps, recordAudit } from '../transactions/audit.ts';
import { inTransaction } from '../transactions/transaction.ts';
import { issuedByValidIssuer } from '../usable-issuers.ts';

/** How long a link can be used, in seconds. */
const LINK_S = 300;
/** The most links and sessions of a consumer that have not ended. */
export const MAX_PORTAL_SESSIONS = 100;

const TOO_MANY = conflict(
  `At most ${MAX_PORTAL_SESSIONS} sessions of a consumer can be open: wait until one ends, or revoke its token.`,
);

/** What the page of a session gets, besides its token. */
interface PortalLook {
  readonly theme: PortalTheme | null;
  readonly locale: PortalLocale | null;
  readonly returnUrl: string | null;
}

/** The UUID of what issues a link, with which link and session end; none for the admin token. */
export interface PortalIssuer {
  /** A token of the environment. */
  readonly tokenId?: string | null;
  /** The token of an operator or a machine. */
  readonly operatorTokenId?: string | null;
  /** An operator in the console. */
  readonly operatorId?: string | null;
  /** The session of the console in which the caller is, besides its token or operator. */
  readonly consoleSessionId?: string | null;
}

interface NewPortalLink extends PortalLook {
  readonly consumer: ConsumerKey;
  /** SHA-256 of its code. */
  readonly hash: Uint8Array;
  readonly scopes: readonly string[];
  readonly issuer: PortalIssuer;
  /** Until the session ends, counted from now. */
  readonly seconds: number;
}

interface IssuedPortalLink {
  /** The UUID of the link, and of the token of its session. */
  readonly id: string;
  readonly linkExpiresAt: Date;
  readonly expiresAt: Date;
}

/**
 * Stores a link that opens the portal of a consumer once. It is not in the audit log; its use is.
 * @throws RefusedError if there is no such consumer, it is disabled, or it has too many links and sessions
 */
export async function issuePortalLink(
  deps: ConfigureDeps,
  { consumer, hash, scopes, theme, locale, returnUrl, issuer, seconds }: NewPortalLink,
): Promise<IssuedPortalLink> {
  const { environmentId, id: consumerId } = consumer;
  return inTransaction(deps, async (tx) => {
    // The lock makes a deletion of the consumer wait until it can find the link.
    const known = await lockConsumer(tx, consumer);
    if (!known) reject('consumer_not_found');
    if (!known.enabled) reject(conflict('The consumer is disabled: enable it first.'));
    const open = await tx.$queryRaw<unknown[]>`
      SELECT FROM portal_links
       WHERE environment_id = ${environmentId}::uuid AND consumer_id = ${consumerId} AND expires_at > clock_timestamp()
         AND (used_at IS NOT NULL OR link_expires_at > clock_timestamp())
         AND NOT EXISTS (SELECT FROM tokens WHERE tokens.id = portal_links.id AND revoked_at IS NOT NULL)
         AND ${issuedByValidIssuer('portal_links.id')}
       LIMIT ${MAX_PORTAL_SESSIONS}`;
    if (open.length >= MAX_PORTAL_SESSIONS) reject(TOO_MANY);
    const id = deps.newId();
    const [row] = await tx.$queryRaw<Omit<IssuedPortalLink, 'id'>[]>`
      INSERT INTO portal_links (id, environment_id, consumer_id, hash, scopes, theme, locale, return_url, issuer_id,
                                operator_token_id, operator_id, console_session_id, created_at, link_expires_at, expires_at)
      VALUES (${id}::uuid, ${environmentId}::uuid, ${consumerId}, ${bytes(hash)}::bytea, ${[...scopes]}::text[],
              ${theme && JSON.stringify(theme)}::jsonb, ${locale}, ${returnUrl}, ${issuer.tokenId ?? null}::uuid,
              ${issuer.operatorTokenId ?? null}::uuid, ${issuer.operatorId ?? null}::uuid,
              ${issuer.consoleSessionId ?? null}::uuid, clock_timestamp(),
              clock_timestamp() + make_interval(secs => ${Math.min(seconds, LINK_S)}::float8),
              clock_timestamp() + make_interval(secs => ${seconds}::float8))
      RETURNING link_expires_at AS "linkExpiresAt", expires_at AS "expiresAt"`;
    if (!row) throw new Error('PostgreSQL stored no link');
    return { id, ...row };
  });
}

interface OpenedPortalSession extends PortalLook {
  readonly token: string;
  readonly expiresAt: Date;
  readonly scopes: readonly string[];
  readonly consumer: { readonly id: string; readonly name: string | null };
  /** The choices of the environment. */
  readonly settings: PortalSettings;
}

/**
 * Exchanges a link for a session, which is a token of its consumer, once: of concurrent calls one gets it. Null if the link is
 * unknown, used, expired or of another environment, or if its consumer or its issuer has ended.
 * @param hash SHA-256 of the link's code
 */
export async function redeemPortalLink(
  {
    db,
    newId,
    actor,
  }: Pick<ConfigureDeps, 'db' | 'newId'> & { readonly actor: Omit<Actor, 'name' | 'kind' | 'credentialId'> },
  { hash, environmentId }: { readonly hash: Uint8Array; readonly environmentId: string },
): Promise<OpenedPortalSession | null> {
  return inTransaction({ db }, async (tx) => {
    const seen = await tx.portalLink.findFirst({
      where: { hash: bytes(hash), environmentId, usedAt: null },
      select: { consumerId: true },
    });
    // Before the link, in the order of a deletion, which ends both.
    const consumer = seen && (await lockConsumer(tx, { environmentId, id: seen.consumerId }));
    if (!consumer?.enabled) return null;
    const link = await take(tx, hash);
    if (!link) return null;
    const environment = await tx.environment.findUniqueOrThrow({ where: { id: environmentId } });
    const token = createToken(environment.name, undefined, { ofConsumer: true });
    await tx.token.create({
      data: {
        id: link.id,
        environmentId,
        name: 'portal',
        prefix: tokenPrefix(token),
        lastFour: tokenLastFour(token),
        hash: bytes(hashToken(token)),
        scopes: link.scopes,
        consumerId: consumer.id,
        portalLinkId: link.id,
        createdAt: link.usedAt,
        expiresAt: link.expiresAt,
      },
    });
    const credentialId = formatId('tok', link.id);
    await recordAudit(
      tx,
      { newId, actor: { ...actor, name: consumer.id, kind: 'consumer_token', credentialId } },
      {
        action: 'consumer.portal_opened',
        resourceId: consumer.id,
        environmentId,
        before: null,
        after: {
          token_id: credentialId,
          scopes: link.scopes,
          expires_at: formatTime(link.expiresAt),
          issued_by: issuerOf(link),
        },
      },
    );
    const { expiresAt, scopes, theme, locale, returnUrl } = link;
    const settings = environment.portal as unknown as PortalSettings;
    const { id, name } = consumer;
    return { token, expiresAt, scopes, consumer: { id, name }, theme, locale, returnUrl, settings };
  });
}

interface TakenLink extends PortalLook, Required<PortalIssuer> {
  readonly id: string;
  readonly scopes: string[];
  readonly usedAt: Date;
  readonly expiresAt: Date;
}

/** The public id of what issued a link; null for the admin token. */
function issuerOf({ tokenId, operatorTokenId, operatorId, consoleSessionId }: TakenLink): string | null {
  if (tokenId) return formatId('tok', tokenId);
  if (operatorTokenId) return formatId('otk', operatorTokenId);
  if (operatorId) return formatId('opr', operatorId);
  return consoleSessionId ? formatId('ses', consoleSessionId) : null;
}

/** Marks a link as used; null if it cannot be used, or not any more. */
async function take(tx: Queryable, hash: Uint8Array): Promise<TakenLink | null> {
  const [link = null] = await tx.$queryRaw<TakenLink[]>`
    UPDATE portal_links SET used_at = clock_timestamp()
     WHERE hash = ${bytes(hash)}::bytea AND used_at IS NULL AND link_expires_at > clock_timestamp()
       AND ${issuedByValidIssuer('portal_links.id')}
    RETURNING id, scopes, theme, locale, return_url AS "returnUrl", issuer_id AS "tokenId",
              operator_token_id AS "operatorTokenId", operator_id AS "operatorId",
              console_session_id AS "consoleSessionId", used_at AS "usedAt", expires_at AS "expiresAt"`;
  return link;
}

/** Ends a session of the portal; false if the token is none. */
export async function endPortalSession(db: UnboundDatabase, tokenId: string): Promise<boolean> {
  const ended = await db.$executeRaw`
    UPDATE tokens SET revoked_at = clock_timestamp()
     WHERE id = ${tokenId}::uuid AND portal_link_id IS NOT NULL AND revoked_at IS NULL`;
  return ended > 0;
}

/** The choices of environments for their portals, in the order of their UUIDs; null for those that do not exist. */
export async function loadPortalSettings(
  db: UnboundDatabase,
  environmentIds: readonly string[],
): Promise<(PortalSettings | null)[]> {
  const rows = await db.environment.findMany({
    where: { id: { in: [...environmentIds] } },
    select: { id: true, portal: true },
  });
  const settings = new Map(rows.map(({ id, portal }) => [id, portal as unknown as PortalSettings]));
  return environmentIds.map((id) => settings.get(id) ?? null);
}
