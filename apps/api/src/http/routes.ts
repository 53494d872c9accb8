import { type RequestHandler, Router } from 'express';
import { methodNotAllowed } from './not-found.ts';

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Express' pattern, such as `/api/v1/messages/:messageId`. */
  readonly path: string;
  readonly handler: RequestHandler;
}

const VERBS = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;

/** The methods of each path, in the order of the routes. */
export function methodsByPath(
  routes: readonly Pick<Route, 'method' | 'path'>[],
): ReadonlyMap<string, readonly string[]> {
  const methods = new Map<string, string[]>();
  for (const { method, path } of routes) methods.set(path, [...(methods.get(path) ?? []), method]);
  return methods;
}

/** Mounts routes; a path that has none for a method answers 405. */
export function mountRoutes(routes: readonly Route[]): Router {
  const router = Router({ caseSensitive: true });
  for (const { method, path, handler } of routes) router[VERBS[method]](path, handler);
  for (const [path, allowed] of methodsByPath(routes)) router.all(path, methodNotAllowed(path, allowed));
  return router;
}
