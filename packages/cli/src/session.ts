import { randomUUID } from 'node:crypto';
import {
  type CallOptions,
  createPostrider,
  createPostriderAdmin,
  type Postrider,
  type PostriderAdmin,
} from '@postrider/client';
import { createColors } from 'picocolors';
import { type Environment, managedEnvironment } from './environment.ts';
import { UsageError } from './exit-codes.ts';
import type { Io } from './io.ts';
import type { Style } from './output/style.ts';
import { json as jsonText, plain } from './output/text.ts';
import { isSameAddress, type Profile, profileName, readProfile } from './profiles.ts';

/** The options of every command. */
export interface GlobalOptions {
  readonly json?: boolean;
  readonly color?: boolean;
  readonly apiUrl?: string;
  readonly token?: string;
  readonly adminToken?: string;
  readonly actor?: string;
  readonly auditReason?: string;
  readonly profile?: string;
  /** Of commands that work in one environment. */
  readonly environment?: string;
}

/** The context of a command. */
export interface Session {
  readonly io: Io;
  readonly json: boolean;
  readonly style: Style;
  /** The address of the service. */
  readonly url: string;
  /** Options of every call: aborted by Ctrl-C, with this run's request id and the reason that was given. */
  readonly call: CallOptions;
  /** The public API for the environment of the token. Throws if there is no token. */
  postrider(): Postrider;
  /** The management API. Throws if there is no token for it. */
  admin(): PostriderAdmin;
  /** The environment of --environment, with ADMIN_TOKEN; otherwise that of the token. */
  environment(): Environment;
  /** The token for the management API: ADMIN_TOKEN, or that of the sign-in at this address. Throws if there is none. */
  adminToken(): string;
  /** The name of the profile. */
  readonly profile: string;
  /** The sign-in of the profile, at whatever address; null if there is none. */
  signedIn(): Profile | null;
  /** The session of another profile, without the variables and options that would replace what it has. */
  withProfile(name: string): Session;
  /** Prints a result: with --json as one JSON document, otherwise formatted by `view`. */
  show<Data>(data: Data, view: (data: Data, style: Style) => string): void;
  /** Prints one of many results, as {@link show} on a line of its own. */
  showLine<Data>(data: Data, view: (data: Data, style: Style) => string): void;
  /** Prints a line for people that is not part of the result. */
  note(line: string): void;
}

/** The URL of a path of the service, whose address may have a path of its own. */
export const urlOf = ({ url }: Pick<Session, 'url'>, path: string): URL =>
  new URL(path, url.endsWith('/') ? url : `${url}/`);

/** Sends a request to a path that the client does not have. */
export const fetchFrom = (
  session: Pick<Session, 'url' | 'io'>,
  path: string,
  { timeoutMs = 30_000, ...init }: RequestInit & { readonly timeoutMs?: number } = {},
) =>
  fetch(urlOf(session, path), {
    redirect: 'manual',
    signal: AbortSignal.any([session.io.signal, AbortSignal.timeout(timeoutMs)]),
    ...init,
  });

const DEFAULT_URL = 'http://127.0.0.1:3000';

function colorsWanted({ env, stdout }: Io, color: boolean | undefined): boolean {
  return color !== false && stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
}

/**
 * The address of the service. That of the sign-in counts only where no token is given: it must not lead a token to another
 * installation than before the sign-in.
 */
export function addressOf(io: Io, options: GlobalOptions): string {
  const { POSTRIDER_URL: url, ADMIN_TOKEN: adminToken, POSTRIDER_TOKEN: token } = io.env;
  const given = options.apiUrl || url;
  if (given || adminToken || token || options.adminToken || options.token) return given || DEFAULT_URL;
  return readProfile(io, profileName(io, options.profile))?.url ?? DEFAULT_URL;
}

function serviceUrl(io: Io, options: GlobalOptions): string {
  const url = addressOf(io, options);
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new UsageError(
      'The address of the service (POSTRIDER_URL or --api-url) must begin with http:// or https://.',
    );
  }
  const { username, password } = new URL(url);
  if (username || password) {
    throw new UsageError(
      'The address of the service (POSTRIDER_URL or --api-url) must not have a user name or password: ' +
        'error messages show it.',
    );
  }
  return url;
}

/**
 * The environment of a command without --environment: POSTRIDER_ENVIRONMENT, otherwise that of the profile. A command that also
 * works with the token of an environment gets none if there is such a token.
 */
export function defaultEnvironment(
  io: Io,
  options: GlobalOptions,
  { isNeeded }: { readonly isNeeded: boolean },
): string | undefined {
  const { POSTRIDER_ENVIRONMENT: named, POSTRIDER_TOKEN: token } = io.env;
  const profile = readProfile(io, profileName(io, options.profile));
  if (!isNeeded && (options.token || token || profile?.environment_token)) return undefined;
  if (named) return named;
  return profile && isSameAddress(profile.url, serviceUrl(io, options)) ? profile.environment : undefined;
}

/** Creates the context of a command without connecting. */
export function openSession(io: Io, options: GlobalOptions): Session {
  const style = createColors(colorsWanted(io, options.color));
  const name = profileName(io, options.profile);
  const url = serviceUrl(io, options);
  const json = options.json === true;
  /** The token of the profile. Throws if it has none, or one of another installation. */
  function stored(field: 'token' | 'environment_token', missing: string): string {
    const profile = readProfile(io, name);
    const token = profile?.[field];
    if (!profile || !token) throw new UsageError(missing);
    if (!isSameAddress(profile.url, url))
      throw new UsageError(
        `The profile "${name}" is signed in to ${profile.url}, not to ${url}: run postrider login, or choose another --profile.`,
      );
    return token;
  }
  const adminToken = () =>
    options.adminToken ||
    io.env.ADMIN_TOKEN ||
    stored(
      'token',
      'This command manages the installation: run postrider login, or set the variable ADMIN_TOKEN.',
    );
  const token = () =>
    options.token ||
    io.env.POSTRIDER_TOKEN ||
    stored(
      'environment_token',
      'This command works for one environment: set POSTRIDER_TOKEN to one of its tokens (pr_…), or store one with postrider login --with-token.',
    );
  const postrider = () => createPostrider({ baseUrl: url, token: token() });
  const admin = () =>
    createPostriderAdmin({
      baseUrl: url,
      adminToken: adminToken(),
      ...(options.actor && { actor: options.actor }),
    });
  const { environment } = options;
  return {
    io,
    json,
    style,
    url,
    call: {
      signal: io.signal,
      requestId: `cli-${randomUUID()}`,
      ...(options.auditReason && { reason: options.auditReason }),
    },
    postrider,
    profile: name,
    signedIn: () => readProfile(io, name),
    withProfile(other) {
      const { ADMIN_TOKEN: _a, POSTRIDER_TOKEN: _t, POSTRIDER_URL: _u, ...env } = io.env;
      const { apiUrl: _url, token: _token, adminToken: _adminToken, ...others } = options;
      return openSession({ ...io, env }, { ...others, profile: other });
    },
    adminToken,
    admin,
    environment: () => (environment === undefined ? postrider() : managedEnvironment(admin(), environment)),
    show(data, view) {
      io.stdout.write(`${json ? jsonText(data, 2) : view(data, style)}\n`);
    },
    showLine(data, view) {
      io.stdout.write(`${json ? jsonText(data) : view(data, style)}\n`);
    },
    note(line) {
      if (!json) io.stderr.write(`${plain(line)}\n`);
    },
  };
}
