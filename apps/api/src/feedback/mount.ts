import { createOriginLookup } from '@postrider/listener';
import { Router } from 'express';
import { noStore } from '../http/headers.ts';
import { send } from '../http/reply.ts';
import { contextOf } from '../http/request.ts';
import { expressPath, mountRoutes } from '../http/routes.ts';
import { createFeedbackEndpoint, type FeedbackDeps } from './endpoint.ts';

/**
 * The feedback endpoint (docs/specification.md, "Feedback"), called by providers and mail servers with bodies in
 * their own formats.
 */
const PATH = '/feedback/v1/{channelToken}/{source}';

/**
 * Mounts the feedback endpoint. Log lines and metrics have the path without its token. Browsers must not call it, so
 * mount it before CORS.
 */
export function mountFeedback(deps: FeedbackDeps, trustedProxies: readonly string[]): Router {
  const answer = createFeedbackEndpoint(deps, createOriginLookup(trustedProxies));
  const router = Router({ caseSensitive: true });
  router.use('/feedback', noStore);
  return router.use(
    mountRoutes([
      {
        method: 'post',
        path: PATH,
        handler: async (http, res) => {
          const context = contextOf(res);
          context.facts.route = expressPath(PATH);
          const { channelToken = '', source = '' } = http.params as Readonly<Record<string, string>>;
          send(http, res, await answer(http, context, { token: channelToken, source }));
        },
      },
    ]),
  );
}
