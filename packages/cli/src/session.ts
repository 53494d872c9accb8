import { randomUUID } from 'node:crypto';
import {
  type CallOptions,
  createPostrider,
  createPostriderAdmin,
  limitBody,
  type Postrider,
  type PostriderAdmin,
  PostriderConnectionError,
} from '@postrider/client';
import { createColors } from 'picocolors';
import { UsageError } from './exit-codes.ts';
import type { Io } from './io.ts';
import type { Style } from './output/style.ts';
import { json as jsonText, plain, withoutControls } from './output/text.ts';
import { isSameAddress, type Profile, profileName, readProfile } from './profiles.ts';

/** What commands do in one environment. */
type Environment = Pick<Postrider, 'messages' | 'stats' | 'stream'> & {
  readonly channels: Pick<Postrider['channels'], 'all' | 'create' | 'delete' | 'listen' | 'listenAnswer'>;
  readonly deliveryRuns: Pick<Postrider['deliveryRuns'], 'cancel' | 'content'>;
  readonly events: Pick<Postrider['events'], 'send'>;
  readonly eventTypes: Pick<Postrider['eventTypes'], 'get'>;
};

/** An environment, as an operator works in it. */
function managedEnvironment(admin: PostriderAdmin, id: string): Environment {
  const { channels, deliveryRuns, environments, events, eventTypes, messages } = admin;
  return {
    channels: {
      ...channels,
      all: channels.of(id).all,
      create: (body, call) => channels.create(id, body, call),
    },
    deliveryRuns: deliveryRuns.of(id),
    events: events.of(id),
    eventTypes: { get: (eventKey, call) => eventTypes.get(id, eventKey, call) },
    messages: messages.of(id),
    stats: (query, call) => environments.stats(id, query, call),
    stream: (options) => environments.stream(id, options),
  };
}

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
  /** The environment of commands that work in one. */
  readonly environment?: string;
}

/** The URL of a path of the service, whose address may have a path of its own. */
export const urlOf = ({ url }: Pick<Session, 'url'>, path: string): URL =>
  new URL(path, url.endsWith('/') ? url : `${url}/`);

/**
 * Sends a request to a path that the client does not have. The body is null unless it is JSON. Throws what the client would if
 * there is no response.
 */
export async function fetchJson(
  session: Pick<Session, 'url' | 'io'>,
  path: string,
  { timeoutMs = 30_000, ...init }: RequestInit & { readonly timeoutMs?: number } = {},
): Promise<{ readonly response: Response; readonly body: unknown }> {
  try {
    const response = await fetch(urlOf(session, path), {
      redirect: 'manual',
      signal: AbortSignal.any([session.io.signal, AbortSignal.timeout(timeoutMs)]),
      ...init,
    });
    const text = await limitBody(response).text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return { response, body: isJson && text !== '' ? JSON.parse(text) : null };
  } catch (cause) {
    session.io.signal.throwIfAborted();
    if (cause instanceof PostriderConnectionError) throw cause;
    throw new PostriderConnectionError('No response: the connection failed.', { cause });
  }
}

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

/** The context of a command. Creating it does not connect. */
export class Session {
  readonly io: Io;
  readonly json: boolean;
  readonly style: Style;
  /** The address of the service. */
  readonly url: string;
  /** The name of the profile. */
  readonly profile: string;
  /** Options of every call: aborted by Ctrl-C, with this run's request id and the reason that was given. */
  readonly call: CallOptions;
  readonly #options: GlobalOptions;

  constructor(io: Io, options: GlobalOptions) {
    this.io = io;
    this.#options = options;
    this.json = options.json === true;
    const width = io.stdout.isTTY ? io.stdout.columns : undefined;
    this.style = { ...createColors(colorsWanted(io, options.color)), width };
    this.profile = profileName(io, options.profile);
    this.url = serviceUrl(io, options);
    this.call = {
      signal: io.signal,
      requestId: `cli-${randomUUID()}`,
      ...(options.auditReason && { reason: options.auditReason }),
    };
  }

  /** The sign-in of the profile, at whatever address; null if there is none. */
  signedIn(): Profile | null {
    return readProfile(this.io, this.profile);
  }

  /** The token of the profile. Throws if it has none, or one of another installation. */
  #stored(field: 'token' | 'environment_token', missing: string): string {
    const { profile: name, url } = this;
    const profile = this.signedIn();
    const token = profile?.[field];
    if (!profile || !token) throw new UsageError(missing);
    if (!isSameAddress(profile.url, url))
      throw new UsageError(
        `The profile "${name}" is signed in to ${profile.url}, not to ${url}: run postrider login, or choose another --profile.`,
      );
    return token;
  }

  /** The public API for the environment of the token. Throws if there is no token. */
  postrider(): Postrider {
    const missing =
      'This command works for one environment: set POSTRIDER_TOKEN to one of its tokens (pr_…), or store one with postrider login --with-token.';
    const token =
      this.#options.token || this.io.env.POSTRIDER_TOKEN || this.#stored('environment_token', missing);
    return createPostrider({ baseUrl: this.url, token });
  }

  /** The token for the management API: ADMIN_TOKEN, or that of the sign-in at this address. Throws if there is none. */
  adminToken(): string {
    const missing =
      'This command manages the installation: run postrider login, or set the variable ADMIN_TOKEN.';
    return this.#options.adminToken || this.io.env.ADMIN_TOKEN || this.#stored('token', missing);
  }

  /** The management API. Throws if there is no token for it. */
  admin(): PostriderAdmin {
    const { actor } = this.#options;
    return createPostriderAdmin({
      baseUrl: this.url,
      adminToken: this.adminToken(),
      ...(actor && { actor }),
    });
  }

  /** The environment of --environment, with ADMIN_TOKEN; otherwise that of the token. */
  environment(): Environment {
    const { environment } = this.#options;
    return environment === undefined ? this.postrider() : managedEnvironment(this.admin(), environment);
  }

  /** The session of another profile, without the variables and options that would replace what it has. */
  withProfile(profile: string): Session {
    const { ADMIN_TOKEN: _a, POSTRIDER_TOKEN: _t, POSTRIDER_URL: _u, ...env } = this.io.env;
    const { apiUrl: _url, token: _token, adminToken: _adminToken, ...others } = this.#options;
    return new Session({ ...this.io, env }, { ...others, profile });
  }

  #print(text: string): void {
    this.io.stdout.write(`${text}\n`);
  }

  /** Prints a result: with --json as one JSON document, otherwise formatted by `view`. */
  show<Data>(data: Data, view: (data: Data, style: Style) => string): void {
    this.#print(this.json ? jsonText(data, 2) : withoutControls(view(data, this.style)));
  }

  /** Prints one of many results, as {@link show} on a line of its own. */
  showLine<Data>(data: Data, view: (data: Data, style: Style) => string): void {
    this.#print(this.json ? jsonText(data) : withoutControls(view(data, this.style)));
  }

  /** Prints a line for people that is not part of the result. */
  note(line: string): void {
    if (!this.json) this.io.stderr.write(`${plain(line)}\n`);
  }
}
