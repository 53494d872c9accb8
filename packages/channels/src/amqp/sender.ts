import type { AttemptOutcome, RemoteResponse } from '@postrider/domain';
import { createBrokerResolver, messageHeaders } from '../broker/sending.ts';
import { fillPaths } from '../broker/settings.ts';
import { tlsIdentityOf } from '../certificates.ts';
import { ADDRESS_BLOCKED, explainConnection } from '../connection-errors.ts';
import { createConnectionCache } from '../connections.ts';
import { hideCredentials } from '../hide-credentials.ts';
import type { JsonContent } from '../json-template.ts';
import {
  type Delivery,
  delivered,
  failure,
  limitTime,
  type Sender,
  type SenderOptions,
  toExcerpt,
} from '../sender.ts';
import { AMQP_SETTINGS, type AmqpConfig, MAX_SHORT_STRING } from './config.ts';
import {
  type AmqpConnection,
  type AmqpLogin,
  BrokerBlockedError,
  type Lane,
  openConnection,
} from './connection.ts';
import type { AmqpMessage, Publication } from './lane.ts';
import { ConnectionRefusedError } from './link.ts';
import { ProtocolError } from './wire.ts';

/** Connections kept for channels; the least recently used one is closed first. */
const MAX_CONNECTIONS = 200;
/** AMQP 0-9-1, section 1.2: reply codes. */
const REPLY_SUCCESS = 200;
const ACCESS_REFUSED = 403;

/** The message of a delivery (docs/destinations.md), or null if its routing key is too long. */
function messageOf(delivery: Delivery<JsonContent>, config: AmqpConfig): AmqpMessage | null {
  const routingKey = fillPaths(config.routing_key, delivery);
  if (Buffer.byteLength(routingKey) > MAX_SHORT_STRING) return null;
  return {
    exchange: config.exchange,
    routingKey,
    content: Buffer.from(delivery.content.body, 'utf8'),
    properties: {
      messageId: delivery.ids.run,
      type: delivery.message.eventKey,
      timestamp: Math.floor(delivery.message.createdAt.getTime() / 1_000),
      contentType: 'application/json',
      appId: 'postrider',
      persistent: config.persistent,
    },
    headers: messageHeaders(delivery),
  };
}

function connectionFailure(error: unknown): AttemptOutcome {
  const { code } = error as { code?: unknown };
  const reason = explainConnection(error);
  const why = reason === null ? '' : ` ${reason}`;
  if (code === ADDRESS_BLOCKED) {
    return failure('amqp_connection_failed', `The broker's address is not allowed.${why}`, {
      retryable: false,
    });
  }
  if (error instanceof BrokerBlockedError) {
    return failure('amqp_rejected', 'The broker accepts no messages at present (connection.blocked).');
  }
  if (error instanceof ConnectionRefusedError && error.of === 'vhost') {
    return failure(
      'amqp_auth_failed',
      'The broker refused the virtual host: it does not exist, or this user may not use it.',
    );
  }
  if (error instanceof ConnectionRefusedError && error.code === ACCESS_REFUSED) {
    return failure('amqp_auth_failed', 'The broker refused the credentials (403).', {
      response: { statusCode: ACCESS_REFUSED, bodyExcerpt: null },
    });
  }
  if (error instanceof ProtocolError) {
    return failure('amqp_connection_failed', `No connection to the broker could be used: ${error.message}.`);
  }
  const named = typeof code === 'string' ? ` (${code})` : '';
  return failure('amqp_connection_failed', `No connection to the broker could be opened${named}.${why}`);
}

function classifyPublication(publication: Publication, hide: (text: string) => string): AttemptOutcome {
  const response = (code: number, said: string): RemoteResponse => ({
    statusCode: code,
    bodyExcerpt: toExcerpt([Buffer.from(hide(said), 'utf8')]),
  });
  switch (publication.outcome) {
    case 'confirmed':
      return delivered({ statusCode: REPLY_SUCCESS, bodyExcerpt: null });
    case 'nacked':
      return failure('amqp_rejected', 'The broker rejected the message (basic.nack).');
    case 'returned': {
      const { code, text } = publication;
      return failure('amqp_rejected', `No queue received the message (${code}).`, {
        response: response(code, text),
      });
    }
    case 'refused': {
      const { code, text } = publication;
      const error = code === ACCESS_REFUSED ? 'amqp_auth_failed' : 'amqp_rejected';
      return failure(error, `The broker refused the message (${code}).`, { response: response(code, text) });
    }
    case 'lost':
      return unconfirmed('The connection broke before the broker confirmed the message.');
  }
}

const unconfirmed = (message: string): AttemptOutcome =>
  failure('amqp_outcome_unknown', message, { status: 'unknown' });

/** Publishes and waits for the confirm. A message that was sent and not confirmed may have been taken. */
async function publish(
  lane: Lane,
  message: AmqpMessage,
  { ended, hide }: { ended: Promise<'ended'>; hide: (text: string) => string },
): Promise<AttemptOutcome> {
  let publication: Publication | 'ended';
  try {
    publication = await Promise.race([lane.publish(message), ended]);
  } catch {
    // The AMQP channel was closed before: nothing was sent.
    lane.release(true);
    return failure('amqp_connection_failed', 'The connection to the broker was closed.');
  }
  lane.release(publication !== 'ended');
  if (publication !== 'ended') return classifyPublication(publication, hide);
  return unconfirmed('The broker did not confirm the message within the time limit.');
}

/**
 * Creates the AMQP sender: one mandatory message in confirm mode, within the time limit. Only a confirm counts as
 * success. A returned or refused message is `failed`; a message without an answer is `unknown`. It connects only to
 * addresses that the policy allows, and without TLS only to this machine.
 */
export function createAmqpSender(options: SenderOptions): Sender<JsonContent> {
  const connections = createConnectionCache<AmqpConnection>(MAX_CONNECTIONS);
  const resolverOf = createBrokerResolver(options);

  async function send(
    delivery: Delivery<JsonContent>,
    { config, login }: { config: AmqpConfig; login: AmqpLogin },
    ended: Promise<'ended'>,
  ): Promise<AttemptOutcome> {
    const message = messageOf(delivery, config);
    if (!message) {
      return failure('amqp_rejected', `The routing key is longer than ${MAX_SHORT_STRING} bytes.`, {
        retryable: false,
      });
    }
    const shown = {
      exchange: message.exchange,
      'routing-key': message.routingKey,
      ...message.properties,
      ...message.headers,
    };
    delivery.reportExchange?.({
      requestHeaders: Object.entries(shown).map(([name, value]) => [name, String(value)]),
    });

    const acquiring = connections
      .get(delivery.channel, () => openConnection(config, login, resolverOf(config)))
      .acquire();
    let lane: Lane | 'ended';
    try {
      lane = await Promise.race([acquiring, ended]);
    } catch (error) {
      return connectionFailure(error);
    }
    if (lane === 'ended') {
      acquiring.then(
        (late) => late.release(true),
        () => undefined,
      );
      return failure('amqp_connection_failed', 'The connection to the broker timed out.');
    }
    delivery.reportExchange?.({ connectedAddress: lane.address });
    return publish(lane, message, { ended, hide: hideCredentials(config.username, login.password) });
  }

  return {
    async send(delivery) {
      const config = AMQP_SETTINGS.read(delivery.channel.config);
      const { password } = delivery.credentials;
      const identity = config && tlsIdentityOf(config, delivery.credentials);
      if (!config || !identity || password === undefined) {
        const message = 'Nothing was sent: the config, the password or the private key is incomplete.';
        return failure('amqp_auth_failed', message);
      }
      const limit = limitTime(delivery);
      try {
        return await send(delivery, { config, login: { password, identity } }, limit.ended);
      } finally {
        limit.stop();
      }
    },
    close: () => connections.close(),
  };
}
