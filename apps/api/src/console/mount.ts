import type { OidcProvider } from '@postrider/config';
import type { Snapshots } from '@postrider/db';
import type { SecretBox } from '@postrider/domain';
import { createBoundedLog, type Logger } from '@postrider/telemetry';
import { Router } from 'express';
import { type AuthenticateDeps, createAuthenticate } from '../admin/authenticate.ts';
import { createAccountRouter } from './account.ts';
import { createDeviceRouter } from './device.ts';
import { createConsoleRouter, type SiteFiles } from './files.ts';
import { createSignInLimits } from './limits.ts';
import { createOidcClient } from './oidc/client.ts';
import { createConfirmation } from './oidc/confirm.ts';
import { createProviders } from './oidc/router.ts';
import { type ConsoleSessions, createConsoleSessions } from './sessions.ts';
import { createSignIn, type SignInDeps } from './sign-in.ts';

/** Logged failures per minute of each provider and kind. */
const FAILURES_PER_MINUTE = 5;

/** How the console is served; see docs/configuration.md. */
export interface ConsoleOptions {
  /** Null if the console was not built. Sessions work anyway. */
  readonly files: SiteFiles | null;
  /** The URL of a trace with a `{trace_id}` placeholder; null if there is none. */
  readonly traceUrlTemplate: string | null;
  /** Providers by which operators sign in; none by default. */
  readonly providers?: readonly OidcProvider[];
}

type MountDeps = Omit<
  SignInDeps & AuthenticateDeps,
  'sessions' | 'limits' | 'providerSignOut' | 'traceUrlTemplate'
> & {
  readonly snapshots: Snapshots;
  readonly monotonicMs: () => number;
  readonly secretBox: SecretBox;
  readonly publicUrl: string | null;
  readonly logger: Logger;
};

/**
 * Creates the sessions of the console and the router of `/console`. Mount it before the CORS headers are set, because
 * only its own page may read its responses.
 */
export function mountConsole(
  deps: MountDeps,
  { files, traceUrlTemplate, providers: configured = [] }: ConsoleOptions,
): { readonly sessions: ConsoleSessions; readonly router: Router } {
  const log = createBoundedLog(deps.logger, { perKeyPerMinute: FAILURES_PER_MINUTE });
  const clients = configured.map((provider) => createOidcClient(provider, deps));
  const onRead = createConfirmation({ ...deps, providers: clients, log });
  const sessions = createConsoleSessions({ ...deps, onRead });
  const limits = createSignInLimits(deps.db, log);
  const providers = createProviders({ ...deps, providers: clients, sessions, limits, log });
  const router = Router({ caseSensitive: true });
  const providerSignOut = providers.signOutUrl;
  router.use(createSignIn({ ...deps, sessions, limits, providerSignOut, traceUrlTemplate }));
  router.use(providers.router);
  router.use(createDeviceRouter({ ...deps, sessions, limits }));
  const authenticate = createAuthenticate({ ...deps, sessions });
  router.use(createAccountRouter({ ...deps, sessions, authenticate }));
  if (files) router.use(createConsoleRouter(files, { originOf: deps.originOf }));
  return { sessions, router };
}
