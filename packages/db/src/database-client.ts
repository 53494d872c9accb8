import { databaseServers, wantsPrimary } from '@postrider/domain';
import { Client, type ClientConfig } from 'pg';

/** How long a server may take to say whether it accepts writes; the rest of 5 s is for the connection itself. */
const CHOICE_LIMIT_MS = 3_000;
/** SQLSTATE of a write on a standby. */
const READ_ONLY = '25006';

/** Resolves with the server if it accepts writes. */
async function findWritable(config: ClientConfig, server: URL): Promise<URL> {
  const limits = { connectionTimeoutMillis: CHOICE_LIMIT_MS, query_timeout: CHOICE_LIMIT_MS };
  const probe = new Client({ ...config, ...limits, connectionString: server.href });
  probe.on('error', () => undefined);
  try {
    await probe.connect();
    const { rows } = await probe.query('SHOW transaction_read_only');
    if (rows[0]?.transaction_read_only === 'off') return server;
    throw Object.assign(new Error('the server accepts no writes'), { code: READ_ONLY });
  } finally {
    void probe.end().catch(() => undefined);
  }
}

/** An answer of a server says more than a failure to reach one. */
const isAnswer = (error: unknown) => /^\d/.test(String((error as { code?: unknown }).code));

async function chooseServer(config: ClientConfig, servers: readonly URL[]): Promise<URL> {
  try {
    return await Promise.any(servers.map((server) => findWritable(config, server)));
  } catch (error) {
    const { errors } = error as AggregateError;
    throw errors.find(isAnswer) ?? errors[0];
  }
}

/**
 * A connection to the server of a PostgreSQL URL that accepts writes, if the URL asks for it (`target_session_attrs`). All its
 * servers are asked at once whenever a connection is opened, so that after a failover new connections lead to the new
 * primary. The driver itself knows one server only.
 */
export class DatabaseClient extends Client {
  readonly #choose: (() => Promise<URL>) | null;

  constructor(config: ClientConfig = {}) {
    const { connectionString = '' } = config;
    const servers = databaseServers(connectionString);
    super({ ...config, connectionString: servers[0]?.href });
    this.#choose = wantsPrimary(connectionString) ? () => chooseServer(config, servers) : null;
  }

  async #connect(choose: () => Promise<URL>): Promise<void> {
    const { hostname, port } = await choose();
    // The caller gave up meanwhile. A destroyed socket would connect again.
    if (this.connection.stream.destroyed) throw new Error('timeout expired');
    this.host = hostname.replace(/^\[|\]$/g, '');
    this.port = Number(port) || this.port;
    await super.connect();
  }

  // biome-ignore lint/suspicious/noExplicitAny: the driver's method has two forms, with and without a callback
  override connect(callback?: any): any {
    if (this.#choose === null) return callback ? super.connect(callback) : super.connect();
    const connected = this.#connect(this.#choose);
    if (!callback) return connected;
    connected.then(() => callback(null, this), callback);
  }
}

/**
 * Limits of connections for migrations. Their statements may take hours, so silence says nothing: the system asks an idle peer
 * every second from the tenth on, and closes the connection after ten unanswered questions.
 */
const SESSION_LIMITS = {
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;

/** Opens a connection for statements of any duration. The caller ends it. */
export async function openSession(databaseUrl: string): Promise<Client> {
  const client = new DatabaseClient({ ...SESSION_LIMITS, connectionString: databaseUrl });
  // The statement in flight gets the error.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
