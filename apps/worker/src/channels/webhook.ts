import { type ClientRequest, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP } from 'node:net';
import { type AddressPolicy, parseWebhookUrl } from '@postrider/domain';
import { type Got, got, type Request } from 'got';
import { type Channel, type Delivery, failure, type SendResult } from './channel.ts';
import { MAX_RESPONSE_BYTES, toExcerpt } from './excerpt.ts';
import { createVettedResolver, type ResolveHost, toSocketLookup } from './vetted-address.ts';
import { type BrokenExchange, judgeBrokenExchange, judgeStatus } from './webhook-judgement.ts';
import { hostOf, readWebhookConfig, webhookHeaders } from './webhook-request.ts';

/**
 * How long an idle connection is kept. Below the 5 s after which Node's own server closes one: a request that
 * meets that closing would be lost, and its outcome unknown.
 */
const IDLE_CONNECTION_MS = 4_000;
/** Idle connections kept per endpoint. */
const MAX_IDLE_CONNECTIONS = 16;

export interface WebhookChannelDeps {
  readonly isAddressAllowed: AddressPolicy;
  readonly resolve?: ResolveHost;
}

function createAgents(resolve: ResolveHost) {
  const options = {
    keepAlive: true,
    timeout: IDLE_CONNECTION_MS,
    maxFreeSockets: MAX_IDLE_CONNECTIONS,
    scheduling: 'lifo' as const,
    lookup: toSocketLookup(resolve),
  };
  return {
    http: new HttpAgent(options),
    https: new HttpsAgent({ ...options, minVersion: 'TLSv1.2' as const }),
  };
}

/** Prepared once: what got does per request is mostly its handling of options. */
function createClient(agent: ReturnType<typeof createAgents>): Got {
  return got.extend({
    method: 'POST',
    isStream: true,
    agent,
    followRedirect: false,
    retry: { limit: 0 },
    throwHttpErrors: false,
    decompress: false,
  });
}

function brokenExchange(
  request: Request,
  error: unknown,
  isHttps: boolean,
): Omit<BrokenExchange, 'response'> {
  const timings = request.timings;
  const tcp = timings?.connect !== undefined;
  const connected = isHttps ? timings?.secureConnect !== undefined : tcp;
  const code = (error as { code?: unknown } | null)?.code;
  return {
    code: typeof code === 'string' ? code : 'unknown fault',
    connected,
    inTlsHandshake: isHttps && tcp && !connected,
  };
}

/** Interim answers (1xx) that are listened to before the endpoint is taken to be hostile. */
const MAX_INTERIM_ANSWERS = 32;
/**
 * How much longer than the HTTP client's own time limit this one waits: it is for the cases that the client
 * does not see.
 */
const DEADLINE_GRACE_MS = 500;

const fault = (code: string) => Object.assign(new Error(code), { code });

/**
 * Watches what the HTTP client does not: an answer that leaves HTTP (101), after which Node closes the
 * connection and the client waits for ever, and a stream of interim answers.
 */
function watchProtocol(client: ClientRequest, onUpgrade: (statusCode: number) => void): void {
  client.once('upgrade', ({ statusCode = 101 }, socket) => {
    socket.destroy();
    onUpgrade(statusCode);
  });
  let interim = 0;
  client.on('information', () => {
    interim += 1;
    if (interim > MAX_INTERIM_ANSWERS) client.destroy(fault('too many interim answers'));
  });
}

interface ExchangeLimits {
  readonly isHttps: boolean;
  readonly timeoutMs: number;
  readonly nowMs: () => number;
}

/**
 * Sends the request, reads the answer until its end or the cap, and judges what there is then. Settles by its
 * time limit, always.
 */
function exchange(request: Request, { isHttps, timeoutMs, nowMs }: ExchangeLimits): Promise<SendResult> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let received = 0;
    let head: { statusCode: number; retryAfter: string | undefined; encoded: boolean } | null = null;

    const soFar = () =>
      head && {
        statusCode: head.statusCode,
        retryAfter: head.retryAfter,
        bodyExcerpt: head.encoded ? null : toExcerpt(chunks),
      };
    const settle = (result: SendResult) => {
      clearTimeout(deadline);
      resolve(result);
      request.destroy();
    };
    const finish = () => {
      const response = soFar();
      if (response) settle(judgeStatus(response, nowMs()));
    };
    const fail = (error: unknown) => {
      const broken = { ...brokenExchange(request, error, isHttps), response: soFar() };
      settle(judgeBrokenExchange(broken, nowMs()));
    };
    const deadline = setTimeout(() => fail(fault('ETIMEDOUT')), timeoutMs + DEADLINE_GRACE_MS);
    request.once('request', (client) => {
      watchProtocol(client, (statusCode) => {
        head = { statusCode, retryAfter: undefined, encoded: false };
        finish();
      });
    });
    request.on('response', ({ statusCode, headers }) => {
      const encoding = headers['content-encoding'] ?? 'identity';
      head = { statusCode, retryAfter: headers['retry-after'], encoded: encoding !== 'identity' };
    });
    request.on('data', (chunk: Uint8Array) => {
      chunks.push(chunk);
      received += chunk.length;
      if (received >= MAX_RESPONSE_BYTES) finish();
    });
    request.once('end', finish);
    request.on('error', fail);
  });
}

/**
 * Creates the sender of webhooks (contract section 7): one POST, signed as Standard Webhooks, no redirects,
 * one deadline over the whole exchange, at most 16 KiB of the response read and nothing decompressed. It
 * connects only to addresses that the policy allows.
 */
export function createWebhookChannel({
  isAddressAllowed,
  resolve: resolveHost,
}: WebhookChannelDeps): Channel<'webhook'> {
  const resolve = createVettedResolver(isAddressAllowed, resolveHost);
  const agents = createAgents(resolve);
  const client = createClient(agents);

  async function send(delivery: Delivery<'webhook'>): Promise<SendResult> {
    const config = readWebhookConfig(delivery.channel.config);
    const url = config && parseWebhookUrl(config.url);
    if (!url) {
      return failure('webhook_address_blocked', 'The URL is not http or https without credentials.', {
        retryable: false,
      });
    }
    // Sockets connect to literal addresses without a look-up: they are judged here.
    const host = hostOf(url);
    if (isIP(host) !== 0 && !isAddressAllowed(host)) {
      return failure('webhook_address_blocked', 'The address is not allowed.', { retryable: false });
    }
    const request = client.stream(url, {
      headers: webhookHeaders(delivery, config.headers),
      body: delivery.content.body,
      timeout: { request: delivery.timeoutMs },
      signal: delivery.signal,
    });
    const { timeoutMs, nowMs } = delivery;
    return exchange(request, { isHttps: url.protocol === 'https:', timeoutMs, nowMs });
  }

  return {
    send,
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}
