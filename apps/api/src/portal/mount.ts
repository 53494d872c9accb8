import {
  createBatcher,
  createFinder,
  createMemo,
  endPortalSession,
  loadPortalSettings,
  redeemPortalLink,
  type Snapshots,
  type UnboundDatabase,
} from '@postrider/db';
import {
  formatId,
  formatTime,
  hashToken,
  type IdSource,
  isWellFormedToken,
  type PortalSettings,
  parseId,
  reject,
} from '@postrider/domain';
import { clientOf, type OriginLookup } from '@postrider/listener';
import { createBoundedLog, type Logger } from '@postrider/telemetry';
import type { Request, RequestHandler, Response, Router } from 'express';
import type { ActorOf } from '../admin/authenticate.ts';
import { logoOriginsOf } from '../admin/environment-settings.ts';
import { admitJson } from '../console/body.ts';
import { createSiteRouter, type SiteFiles, secure } from '../console/files.ts';
import { createSignInLimits } from '../console/limits.ts';
import type { ByteLimit } from '../http/admission.ts';
import { bearerToken, noContent, ok, type Success, UNAUTHORIZED } from '../http/reply.ts';
import type { RequestContext } from '../http/request.ts';
import { mountResponders } from '../http/routes.ts';
import { type BodyOf, closedObject } from '../openapi/schema.ts';
import { compileBody } from '../validation/body.ts';

/** The most environments in the cache of a process. */
const MAX_ENVIRONMENTS = 1_000;
/** Anyone can ask for any id, so their loads share queries, one at a time. */
const BATCHES = { maxItems: 256, maxInFlight: 1 };

/** What an environment chooses for its portal, at most 5 s old; null if there is no such environment. */
type FindPortalSettings = (environmentId: string) => Promise<PortalSettings | null>;

function createPortalSettings({
  db,
  monotonicMs,
}: {
  readonly db: UnboundDatabase;
  readonly monotonicMs: () => number;
}): FindPortalSettings {
  const load = createBatcher((ids: readonly string[]) => loadPortalSettings(db, ids), BATCHES);
  return createFinder(monotonicMs, createMemo(monotonicMs, MAX_ENVIRONMENTS, load)).find;
}

const SESSION_PATH = '/portal/session';
/** Logged failures per minute of each kind. */
const FAILURES_PER_MINUTE = 5;

const TEXT = { type: 'string', minLength: 1, maxLength: 256 } as const;
const LINK_SCHEMA = closedObject(['link', 'environment'], { link: TEXT, environment: TEXT });
const validate = compileBody<BodyOf<typeof LINK_SCHEMA>>(LINK_SCHEMA);

interface PortalDeps {
  readonly db: UnboundDatabase;
  readonly newId: IdSource;
  readonly snapshots: Pick<Snapshots, 'token'>;
  readonly bytesInFlight: ByteLimit;
  readonly originOf: OriginLookup;
  readonly actorOf: ActorOf;
  readonly logger: Logger;
  readonly monotonicMs: () => number;
  /** The page; null if it was not built. */
  readonly portal?: SiteFiles | null;
}

/**
 * `/portal`: the page for consumers, and its sessions (docs/specification.md, "Consumers"). A session is a token in the memory of
 * the page: there is no cookie. Mount it before the CORS headers are set, because only its own page opens sessions.
 */
export function mountPortal(deps: PortalDeps): Router {
  const { db, newId, snapshots, originOf, actorOf } = deps;
  const limits = createSignInLimits(
    db,
    createBoundedLog(deps.logger, { perKeyPerMinute: FAILURES_PER_MINUTE }),
  );
  const findSettings = createPortalSettings(deps);

  async function open(http: Request, context: RequestContext, res: Response): Promise<Success> {
    const client = clientOf(originOf(http).address);
    const owner = `portal ${client}`;
    const body = await admitJson(deps.bytesInFlight, { http, res, owner }, validate);
    const attempt = await limits.begin(client, 'portal links');
    const actor = actorOf(http, context, { name: '', kind: 'consumer_token', credentialId: null });
    const environmentId = parseId('env', body.environment);
    const hash = hashToken(body.link);
    const session = environmentId && (await redeemPortalLink({ db, newId, actor }, { hash, environmentId }));
    // The same for every cause, so that it reveals nothing about links.
    if (!session) reject('portal_link_invalid');
    await attempt.giveBack();
    const { settings } = session;
    context.facts.environment_id = body.environment;
    return ok({
      token: session.token,
      expires_at: formatTime(session.expiresAt),
      environment_id: formatId('env', environmentId),
      consumer: session.consumer,
      scopes: session.scopes,
      theme: session.theme ?? settings.theme,
      locale: session.locale ?? settings.locale,
      return_url: session.returnUrl,
    });
  }

  async function end(http: Request): Promise<Success> {
    const text = bearerToken(http.headers.authorization);
    if (text === undefined || !isWellFormedToken(text)) reject(UNAUTHORIZED);
    const token = await snapshots.token(hashToken(text));
    return token && (await endPortalSession(db, token.id)) ? noContent() : reject(UNAUTHORIZED);
  }

  /** Only pages of the origins that the environment lists may frame the page; without an environment none. */
  const framing: RequestHandler = async (request, response, next) => {
    const environmentId = parseId('env', String(request.query.environment ?? ''));
    const settings = environmentId === null ? null : await findSettings(environmentId);
    const policy = secure({
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:', ...(settings ? logoOriginsOf(settings) : [])],
      fontSrc: ["'self'"],
      connectSrc: ["'self'"],
      frameAncestors: settings ? ["'self'", ...settings.origins] : ["'none'"],
    });
    policy(request, response, (error) => {
      // It cannot name the pages that may frame this one; the policy does.
      response.removeHeader('X-Frame-Options');
      // A page with a Cross-Origin-Embedder-Policy shows only frames that have one, too, and that other origins may load.
      response.setHeader('Cross-Origin-Embedder-Policy', 'credentialless');
      response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
      next(error);
    });
  };

  const router = mountResponders([
    { path: SESSION_PATH, method: 'post', respond: open },
    { path: SESSION_PATH, method: 'delete', respond: end },
  ]);
  if (deps.portal)
    router.use(createSiteRouter('portal', { originOf, files: deps.portal, policyOf: () => framing }));
  return router;
}
