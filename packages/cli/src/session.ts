import { randomUUID } from 'node:crypto';
import {
  type CallOptions,
  createPostrider,
  createPostriderAdmin,
  type Postrider,
  type PostriderAdmin,
} from '@postrider/client';
import { createColors } from 'picocolors';
import { UsageError } from './exit-codes.ts';
import type { Io } from './io.ts';
import type { Style } from './output/style.ts';
import { json as jsonText, plain } from './output/text.ts';

/** The options of every command. */
export interface GlobalOptions {
  readonly json?: boolean;
  readonly color?: boolean;
  readonly apiUrl?: string;
  readonly token?: string;
  readonly adminToken?: string;
  readonly actor?: string;
}

/** The context of a command. */
export interface Session {
  readonly io: Io;
  readonly json: boolean;
  readonly style: Style;
  /** The address of the service. */
  readonly url: string;
  /** Options of every call: aborted by Ctrl-C, with this run's request id. */
  readonly call: CallOptions;
  /** The public API for the environment of the token. Throws if there is no token. */
  postrider(): Postrider;
  /** The management API. Throws if there is no admin token. */
  admin(): PostriderAdmin;
  /** Prints a result: with --json as one JSON document, otherwise formatted by `view`. */
  show<Data>(data: Data, view: (data: Data, style: Style) => string): void;
  /** Prints a line for people that is not part of the result. */
  note(line: string): void;
}

const DEFAULT_URL = 'http://127.0.0.1:3000';

function colorsWanted({ env, stdout }: Io, color: boolean | undefined): boolean {
  return color !== false && stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
}

function serviceUrl({ env }: Io, given: string | undefined): string {
  const url = given || env.POSTRIDER_URL || DEFAULT_URL;
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

/** Creates the context of a command without connecting. */
export function openSession(io: Io, options: GlobalOptions): Session {
  const style = createColors(colorsWanted(io, options.color));
  const url = serviceUrl(io, options.apiUrl);
  const json = options.json === true;
  return {
    io,
    json,
    style,
    url,
    call: { signal: io.signal, requestId: `cli-${randomUUID()}` },
    postrider() {
      const token = options.token || io.env.POSTRIDER_TOKEN;
      if (!token) {
        throw new UsageError(
          'This command works for one environment: set POSTRIDER_TOKEN to one of its tokens (pr_…).',
        );
      }
      return createPostrider({ baseUrl: url, token });
    },
    admin() {
      const adminToken = options.adminToken || io.env.ADMIN_TOKEN;
      if (!adminToken) {
        throw new UsageError('This command manages the installation: set the variable ADMIN_TOKEN.');
      }
      return createPostriderAdmin({
        baseUrl: url,
        adminToken,
        ...(options.actor && { actor: options.actor }),
      });
    },
    show(data, view) {
      io.stdout.write(`${json ? jsonText(data, 2) : view(data, style)}\n`);
    },
    note(line) {
      if (!json) io.stderr.write(`${plain(line)}\n`);
    },
  };
}
