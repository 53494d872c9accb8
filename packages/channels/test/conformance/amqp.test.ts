import { createServer } from 'node:net';
import { amqpBroker, listenOnLoopback } from '@postrider/rig';
import { createAmqpSender } from '../../src/amqp/sender.ts';
import { webhookDelivery } from '../support/delivery.ts';
import { describeSender, type Peer, WRONG_CREDENTIAL } from './suite.ts';

const PASSWORD = 'amqp-secret-4711';
/** A frame: type, AMQP channel and size; the payload; one octet. */
const [FRAME_HEADER, FRAME_END] = [7, 1];
const BODY_FRAME = 3;
/** The second half of a method's number: `basic.ack` is 60.80, and `basic.nack` 60.120. */
const METHOD_AT = 10;
const NACK = 120;

/** Reads the contents of messages from the bytes of a client. */
function createReader(onBody: (body: Buffer) => void) {
  let rest = Buffer.alloc(0);
  let left = 0;
  let parts: Buffer[] = [];
  let isGreeted = false;
  return (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    if (!isGreeted && rest.length >= 8) {
      isGreeted = true;
      rest = rest.subarray(8);
    }
    while (rest.length >= FRAME_HEADER && rest.length >= rest.readUInt32BE(3) + FRAME_HEADER + FRAME_END) {
      const size = rest.readUInt32BE(3);
      const [type, payload] = [rest.readUInt8(0), rest.subarray(FRAME_HEADER, FRAME_HEADER + size)];
      rest = rest.subarray(FRAME_HEADER + size + FRAME_END);
      if (type === 2) [left, parts] = [Number(payload.readBigUInt64BE(4)), []];
      if (type !== BODY_FRAME) continue;
      parts.push(payload);
      left -= size;
      if (left === 0) onBody(Buffer.concat(parts));
    }
  };
}

/** `connection.close` with 403, which repeats the wrong credential. */
function closeRefused(): Buffer {
  const text = Buffer.from(`refused ${WRONG_CREDENTIAL}`);
  const code = Buffer.from([0, 10, 0, 50, 403 >> 8, 403 & 0xff, text.length]);
  const payload = Buffer.concat([code, text, Buffer.alloc(4)]);
  return Buffer.concat([Buffer.from([1, 0, 0, 0, 0, 0, payload.length]), payload, Buffer.from([0xce])]);
}

async function startPeer(): Promise<Peer> {
  const bodies: string[] = [];
  let isRefused = false;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    const converse = amqpBroker.converse(0);
    const read = createReader((body) => {
      if (!isRefused) bodies.push(body.toString('utf8'));
    });
    socket.on('data', (chunk) => {
      if (chunk.includes(WRONG_CREDENTIAL)) return void socket.write(closeRefused());
      read(chunk);
      for (const { step, bytes } of converse(chunk)) {
        if (isRefused && step === 'basic.ack') bytes.writeUInt8(NACK, METHOD_AT);
        socket.write(bytes);
      }
    });
  });
  const { port, close } = await listenOnLoopback(server);
  return {
    port,
    received: () => bodies,
    refuse() {
      isRefused = true;
    },
    close,
  };
}

describeSender({
  name: 'messages to an AMQP broker',
  codes: /^amqp_/,
  credential: PASSWORD,
  startPeer,
  createSender: createAmqpSender,
  delivery(port, body, { credential, ...details }) {
    const made = webhookDelivery(
      { url: '' },
      { content: { body }, credentials: { password: credential }, ...details },
    );
    const target = { vhost: '/', exchange: 'events', routing_key: 'orders', persistent: true };
    const config = { host: '127.0.0.1', port, tls: false, username: 'shop', ...target };
    return { ...made, channel: { ...made.channel, config } };
  },
  // No broker refuses a message for good: a routing key that AMQP cannot represent is never sent.
  refusedForGood: (delivery) => ({
    ...delivery,
    channel: { ...delivery.channel, config: { ...delivery.channel.config, routing_key: 'x'.repeat(256) } },
  }),
});
