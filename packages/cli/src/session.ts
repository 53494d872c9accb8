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

/** The options that every command has. */
export interface GlobalOptions {
  readonly json?: boolean;
  readonly color?: boolean;
  readonly apiUrl?: string;
  readonly token?: string;
  readonly adminToken?: string;
  readonly actor?: string;
}

/** What one run of a command works with. */
export interface Session {
  readonly io: Io;
  readonly json: boolean;
  readonly style: Style;
  /** Where the service is. */
  readonly url: string;
  /** For every call: ends with Ctrl-C, and carries this run's request id. */
  readonly call: CallOptions;
  /** The public interface, for the environment of the token. Throws when there is no token. */
  postrider(): Postrider;
  /** The management interface. Throws when there is no admin token. */
  admin(): PostriderAdmin;
  /** Prints a result: as one JSON document with --json, else as `view` makes it for people. */
  show<Data>(data: Data, view: (data: Data, style: Style) => string): void;
  /** Prints a line for people that is no part of the result. */
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
        'it is shown when something goes wrong.',
    );
  }
  return url;
}

/** Opens what a command works with; reaches nothing yet. */
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
          'This command works for one environment: put a token of it (pr_…) into POSTRIDER_TOKEN.',
        );
      }
      return createPostrider({ baseUrl: url, token });
    },
    admin() {
      const adminToken = options.adminToken || io.env.ADMIN_TOKEN;
      if (!adminToken) {
        throw new UsageError(
          'This command manages the installation: put its ADMIN_TOKEN into the environment.',
        );
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
