import { type RequestHandler, Router } from 'express';
import { methodNotAllowed } from './not-found.ts';

export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** OpenAPI's form, such as `/api/v1/messages/{messageId}`. */
  readonly path: string;
  readonly handler: RequestHandler;
}

/** Express' form of a path, such as `/api/v1/messages/:messageId`; it is also the route of log lines and metrics. */
export function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** The methods of each path, which is in Express' form, in the order of the routes. */
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

/** Mounts routes; a path that has none for a method answers 405. */
export function mountRoutes(routes: readonly Route[]): Router {
  const router = Router({ caseSensitive: true });
  for (const { method, path, handler } of routes) router[method](expressPath(path), handler);
  for (const [path, allowed] of methodsByPath(routes)) router.all(path, methodNotAllowed(path, allowed));
  return router;
}
