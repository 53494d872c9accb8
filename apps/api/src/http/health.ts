import { type Database, inShare, readDatabaseState } from '@postrider/db';
import { checkReadiness, createHealthAnswers, type PlainAnswer, type Readiness } from '@postrider/telemetry';
import { type RequestHandler, Router } from 'express';
import { contextOf } from './request.ts';
import { methodNotAllowed } from './routes.ts';

export interface HealthDeps {
  readonly db: Database;
  readonly redisReady: () => boolean;
  /** Why the last event could not be stored, if that was just now; never by default. */
  readonly acceptanceProblem?: () => string | null;
  /** Whether the process is stopping, so that load balancers use another one. */
  readonly isStopping?: () => boolean;
}

/** Creates the readiness check. */
export function createReadyCheck({
  db,
  redisReady,
  acceptanceProblem = () => null,
}: HealthDeps): () => Promise<Readiness> {
  return () =>
    checkReadiness({
      async readDatabaseState() {
        const { problem, pending } = await inShare('work', () => readDatabaseState(db));
        return { problem: problem ?? acceptanceProblem(), pending };
      },
      isRedisReady: redisReady,
    });
}

/** Serves /healthz and /readyz without a token. Queries the database at most once a second. */
export function createHealthRouter(deps: HealthDeps): Router {
  const answers = createHealthAnswers({ ready: createReadyCheck(deps), isStopping: deps.isStopping });
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
  return router;
}
