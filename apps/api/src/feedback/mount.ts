import { createOriginLookup } from '@postrider/listener';
import { Router } from 'express';
import { noStore } from '../http/headers.ts';
import { send } from '../http/reply.ts';
import { contextOf } from '../http/request.ts';
import { expressPath, mountRoutes } from '../http/routes.ts';
import { createFeedbackEndpoint, type FeedbackDeps } from './endpoint.ts';

/** docs/specification.md, "Feedback". It is called by providers and mail servers, whose bodies are their own. */
const PATH = '/feedback/v1/{channelToken}/{source}';

/** Where providers report. Log lines and metrics have the path without its token. Pages may not call it: mount it before CORS. */
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
