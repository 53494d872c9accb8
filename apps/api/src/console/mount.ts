import { createOriginLookup, type OriginLookup } from '@postrider/listener';
import { Router } from 'express';
import { type ConsoleFiles, createConsoleRouter } from './files.ts';
import { type ConsoleSessions, createConsoleSessions } from './sessions.ts';
import { createSignIn, type SignInDeps } from './sign-in.ts';

/** How the console is served; see docs/configuration.md. */
export interface ConsoleOptions {
  /** Null: the sources were not built. Sessions work all the same. */
  readonly files: ConsoleFiles | null;
  readonly trustedProxies: readonly string[];
  /** Where a browser shows a trace, with `{trace_id}` in its place; null where there is nothing. */
  readonly traceUrlTemplate: string | null;
}

type MountDeps = Omit<SignInDeps, 'sessions' | 'originOf' | 'traceUrlTemplate'>;

/**
 * The sessions of the console, and the router of `/console`. Mount it before the CORS headers are set: only its own page may
 * read its responses.
 */
export function mountConsole(
  deps: MountDeps,
  { files, trustedProxies, traceUrlTemplate }: ConsoleOptions,
): { readonly sessions: ConsoleSessions; readonly router: Router } {
  const originOf: OriginLookup = createOriginLookup(trustedProxies);
  const sessions = createConsoleSessions({ ...deps, originOf });
  const router = Router({ caseSensitive: true });
  router.use(createSignIn({ ...deps, sessions, originOf, traceUrlTemplate }));
  if (files) router.use(createConsoleRouter(files));
  return { sessions, router };
}
