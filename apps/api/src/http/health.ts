import { type Database, pendingMigrations } from '@postrider/db';
import { createHealthAnswers, type Metrics, type PlainAnswer, type Readiness } from '@postrider/telemetry';
import { type RequestHandler, Router } from 'express';
import { methodNotAllowed } from './not-found.ts';
import { contextOf } from './request-context.ts';

export interface HealthDeps {
  readonly db: Database;
  readonly redisReady: () => boolean;
  readonly metrics: Metrics;
}

/** Postgres must answer and have every migration; Redis is reported and not required (contract section 9). */
async function readiness({ db, redisReady }: HealthDeps): Promise<Readiness> {
  const redis = redisReady() ? 'ok' : 'unreachable (not required)';
  try {
    const pending = await pendingMigrations(db);
    const migrations = pending.length === 0 ? 'ok' : `${pending.length} pending`;
    return { ok: pending.length === 0, checks: { postgres: 'ok', migrations, redis } };
  } catch {
    return { ok: false, checks: { postgres: 'unreachable', migrations: 'unknown', redis } };
  }
}

/** Serves /healthz, /readyz and /metrics, without a token. */
export function createHealthRouter(deps: HealthDeps): Router {
  const answers = createHealthAnswers({ ready: () => readiness(deps), metrics: deps.metrics });
  const router = Router({ caseSensitive: true });

  function serve(path: string, answer: () => PlainAnswer | Promise<PlainAnswer>): void {
    const handler: RequestHandler = async (_req, res) => {
      contextOf(res).facts.route = path;
      const { status, contentType, body } = await answer();
      res.statusCode = status;
      res.setHeader('Content-Type', contentType);
      res.setHeader('Content-Length', Buffer.byteLength(body));
      res.end(body);
    };
    router.get(path, handler);
    router.all(path, methodNotAllowed(path, ['GET']));
  }

  serve('/healthz', answers.healthz);
  serve('/readyz', answers.readyz);
  serve('/metrics', answers.metrics);
  return router;
}
