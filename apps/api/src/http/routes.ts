import { refuse } from '@postrider/domain';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { type Success, send } from './reply.ts';
import { contextOf, type RequestContext } from './request.ts';

interface Route {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** In OpenAPI's form, such as `/api/v1/messages/{messageId}`. */
  readonly path: string;
  readonly handler: RequestHandler;
}

/** Express' form of a path, such as `/api/v1/messages/:messageId`; it is also the route of log lines and metrics. */
export function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** The methods of each path (in Express' form), in the order of the routes. */
export function methodsByPath(
  routes: readonly Pick<Route, 'method' | 'path'>[],
): ReadonlyMap<string, readonly string[]> {
  const methods = new Map<string, string[]>();
  for (const { method, path } of routes) {
    const route = expressPath(path);
    methods.set(route, [...(methods.get(route) ?? []), method.toUpperCase()]);
  }
  return methods;
}

/**
 * Mounts routes, by default on a router of their own. A method that a path does not have gets 405.
 * @param before a handler of every request for one of the paths
 */
export function mountRoutes(
  routes: readonly Route[],
  router: Router = Router({ caseSensitive: true }),
  before: readonly RequestHandler[] = [],
): Router {
  for (const { method, path, handler } of routes) router[method](expressPath(path), ...before, handler);
  for (const [path, allowed] of methodsByPath(routes)) {
    router.all(path, ...before, methodNotAllowed(path, allowed));
  }
  return router;
}

/** A path outside the OpenAPI document, and the function that responds to it or throws the refusal. */
interface Responder extends Omit<Route, 'handler'> {
  readonly respond: (http: Request, context: RequestContext, res: Response) => Promise<Success> | Success;
}

/** Mounts paths on a router of their own. Each reply is sent, and the path is the route of log lines and metrics. */
export const mountResponders = (responders: readonly Responder[]): Router =>
  mountRoutes(
    responders.map(({ respond, ...route }) => ({
      ...route,
      handler: async (http, res) => {
        const context = contextOf(res);
        context.facts.route = expressPath(route.path);
        send(http, res, await respond(http, context, res));
      },
    })),
  );

/** What clients leave out of the paths of the API, or write in another case. */
const PREFIXES = ['/api/v1', '/admin/v1'];
const LEFT_OUT = /^(?:\/(?:api|admin))?(?:\/v\d+)?(?=\/)/i;

/**
 * Responds to an unknown path. If one of `paths` (in OpenAPI's form) only differs from it in its prefix or case, the
 * message names that one. It never repeats the path of the request.
 */
export function routeNotFound(paths: readonly string[]): RequestHandler {
  const patterns = new Map(
    paths.map((path) => [path, new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`, 'i')]),
  );
  const similar = ({ path: asked }: Request): string | undefined => {
    const rest = asked.replace(LEFT_OUT, '');
    const isManagement = /^\/admin\//i.test(asked);
    const candidates = (isManagement ? PREFIXES.toReversed() : PREFIXES).map((prefix) => prefix + rest);
    return candidates
      .flatMap((candidate) => paths.filter((path) => patterns.get(path)?.test(candidate)))
      .at(0);
  };
  return (req, res) => {
    const path = similar(req);
    const message = path && `There is no such path. Did you mean ${path}?`;
    send(req, res, refuse('route_not_found', message ? { message } : {}));
  };
}

/** The `Allow` header of a path with these methods. */
export function allowHeader(methods: readonly string[]): string {
  const allow = new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])));
  return [...allow, 'OPTIONS'].join(', ');
}

/** Responds to methods that a path does not have; `methods` are those that it has. */
export function methodNotAllowed(route: string, methods: readonly string[]): RequestHandler {
  const headers = { Allow: allowHeader(methods) };
  return (req, res) => {
    contextOf(res).facts.route = route;
    send(req, res, refuse('method_not_allowed', { headers }));
  };
}
