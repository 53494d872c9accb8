import type { Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { type ResolveHost, toSocketLookup } from '../vetted-address.ts';
import { recordExchange } from './exchange.ts';
import { type HttpSender, IDLE_CONNECTION_MS, MAX_INTERIM_ANSWERS } from './sender.ts';

/**
 * Time limit for connecting. undici continues after the post has ended, so this limits how many connections a silent
 * endpoint can hold open.
 */
const MAX_CONNECT_MS = 10_000;
/** The error of undici for an unrequested 101. */
const BAD_UPGRADE = 'bad upgrade';

/** Errors of connections that broke during the TLS handshake. */
type HandshakeErrors = WeakSet<object>;

interface Connector {
  readonly connect: buildConnector.connector;
  /** Ends connections that are not established yet, which undici keeps when it is closed. */
  readonly close: () => void;
}

/** undici's own connector, which also records whether a connection broke during its TLS handshake. */
function createConnector(resolve: ResolveHost, handshakeErrors: HandshakeErrors): Connector {
  const connecting = new Set<Socket>();
  const connect = buildConnector({
    timeout: MAX_CONNECT_MS,
    minVersion: 'TLSv1.2',
    lookup: toSocketLookup(resolve),
  } as buildConnector.BuildOptions);
  return {
    connect(options, callback) {
      let hasTcp = false;
      const socket = connect(options, (error, connected) => {
        connecting.delete(socket);
        if (error && hasTcp && options.protocol === 'https:') handshakeErrors.add(error);
        if (error) callback(error, null);
        else callback(null, connected);
      }) as unknown as Socket;
      connecting.add(socket);
      socket.once('close', () => connecting.delete(socket));
      socket.once('connect', () => {
        hasTcp = true;
      });
    },
    close() {
      for (const socket of connecting) socket.destroy(new Error('the sender is closed'));
    },
  };
}

/**
 * The sender on undici, which needs a fraction of got's work per request (packages/bench/README.md). It implements the
 * same interface and passes the same tests.
 */
export function createUndiciSender(resolve: ResolveHost): HttpSender {
  const handshakeErrors: HandshakeErrors = new WeakSet();
  const connector = createConnector(resolve, handshakeErrors);
  const agent = new Agent({
    connect: connector.connect,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    keepAliveMaxTimeout: IDLE_CONNECTION_MS,
    // The record of the exchange has the time limit.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    post(post) {
      let controller: Dispatcher.DispatchController | undefined;
      let inTlsHandshake = false;
      let interim = 0;
      const record = recordExchange(post, {
        reached: () => ({ connected: controller !== undefined, inTlsHandshake }),
        release: () => controller?.abort(new Error('the exchange is over')),
      });
      if (record.isOver()) return record.result;
      const { method = 'POST', url, headers, body } = post;
      agent.dispatch(
        { origin: url.origin, path: url.pathname + url.search, method, headers, body },
        {
          onRequestStart(started) {
            if (record.isOver()) started.abort(new Error('the exchange is over'));
            else controller = started;
          },
          onResponseStart(_, statusCode, received) {
            interim += 1;
            if (statusCode >= 200) record.head(statusCode, received);
            else if (interim > MAX_INTERIM_ANSWERS) record.fail({ code: 'too many interim responses' });
          },
          onResponseData: (_, chunk) => record.chunk(chunk),
          onResponseEnd: record.end,
          onResponseError(_, error) {
            if (error.message === BAD_UPGRADE) {
              record.head(101, {});
              record.end();
            }
            inTlsHandshake = handshakeErrors.has(error);
            record.fail(error);
          },
        },
      );
      return record.result;
    },
    close() {
      agent.destroy().catch(() => undefined);
      connector.close();
    },
  };
}
