import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ChannelRegistry } from '@postrider/channels';
import { createTestDatabase } from '@postrider/db/testing';
import { run } from '../../../../packages/cli/src/run.ts';
import { startServiceHere } from '../../../api/test/support/service.ts';

/** An environment and its token. */
export interface Environment {
  readonly id: string;
  readonly token: string;
}

/** Parsed JSON. */
type Printed = ReturnType<typeof JSON.parse>;

/** API, worker and command line with some kinds of channel. */
export interface KindsService {
  /** Runs a command line against the API, and returns what it prints. */
  postrider(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Printed>;
  /** A tenant on a plan with every kind, and one environment with its token. */
  createEnvironment(): Promise<Environment>;
  /** Calls the API with the environment's token; a body is posted. */
  call(environment: Environment, path: string, body?: object): Promise<Response>;
  close(): Promise<void>;
}

/** Starts a database, the API and a worker in this process. */
export async function startKindsService(kinds: ChannelRegistry): Promise<KindsService> {
  const database = await createTestDatabase();
  const { url, adminToken, stop } = await startServiceHere({ database, worker: true, kinds });

  async function postrider(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    let stdout = '';
    let stderr = '';
    const code = await run(
      ['--json', ...args],
      {
        env: { POSTRIDER_URL: url, ADMIN_TOKEN: adminToken, ...env },
        stdin: Readable.from([]),
        stdout: {
          write(text) {
            stdout += text;
          },
        },
        stderr: {
          write(text) {
            stderr += text;
          },
        },
        signal: new AbortController().signal,
      },
      kinds,
    );
    if (code !== 0) throw new Error(`postrider ${args.join(' ')}: ${stderr}`);
    return JSON.parse(stdout);
  }

  return {
    postrider,
    async createEnvironment() {
      const plan = `plan-${randomUUID().slice(0, 8)}`;
      await postrider(['plans', 'create', '--code', plan, '--name', 'All']);
      const tenant = await postrider(['tenants', 'create', '--name', 'Acme', '--plan', plan]);
      const environment = await postrider([
        'environments',
        'create',
        '--tenant',
        tenant.id,
        '--name',
        'development',
      ]);
      const token = await postrider(['tokens', 'create', '--environment', environment.id, '--name', 'test']);
      return { id: environment.id, token: token.token ?? token.secret };
    },
    call: ({ token }, path, body) =>
      fetch(`${url}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: {
          authorization: `Bearer ${token}`,
          ...(body ? { 'content-type': 'application/json', 'idempotency-key': randomUUID() } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
    async close() {
      await stop();
      await database.drop();
    },
  };
}
