import { createOriginLookup, type OriginLookup } from '@postrider/listener';
import { Router } from 'express';
import { type ConsoleFiles, createConsoleRouter } from './files.ts';
import { type ConsoleSessions, createConsoleSessions } from './sessions.ts';
import { createSignIn, type SignInDeps } from './sign-in.ts';

/** How the console is served; see docs/configuration.md. */
export interface ConsoleOptions {
  /** Null if the console was not built. Sessions work anyway. */
  readonly files: ConsoleFiles | null;
  readonly trustedProxies: readonly string[];
  /** The URL of a trace with a `{trace_id}` placeholder; null if there is none. */
  readonly traceUrlTemplate: string | null;
}

type MountDeps = Omit<SignInDeps, 'sessions' | 'originOf' | 'traceUrlTemplate'>;

/**
 * Creates the sessions of the console and the router of `/console`. Mount it before the CORS headers are set, because
 * only its own page may read its responses.
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
