import type { RequestHandler } from 'express';
import { refuse } from './reply.ts';
import { contextOf } from './request-context.ts';
import { send } from './send.ts';

/** Answers a path that does not exist. */
export const routeNotFound: RequestHandler = (req, res) => {
  send(req, res, refuse('route_not_found'));
};

/** The text of `Allow` for a path that has these methods. */
export function allowHeader(methods: readonly string[]): string {
  const allow = new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])));
  return [...allow, 'OPTIONS'].join(', ');
}

/** Answers the methods that a path does not have; `methods` are those that it has. */
export function methodNotAllowed(route: string, methods: readonly string[]): RequestHandler {
  const headers = { Allow: allowHeader(methods) };
  return (req, res) => {
    contextOf(res).facts.route = route;
    send(req, res, refuse('method_not_allowed', { headers }));
  };
}
