import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { createSecureContext, TLSSocket } from 'node:tls';
import { listenOnLoopback } from '@postrider/rig';
import type { Authority } from '@postrider/rig/certificates';

const HEAD_BYTES = 5;
const TAG_BYTES = 16;
/** The content types of records (RFC 8446 section 5.1). */
const [HANDSHAKE, APPLICATION_DATA] = [22, 23];
/** NewSessionTicket (RFC 8446 section 4.6.1): for an hour, with an empty nonce and a ticket of one byte. */
const TICKET = Buffer.from('0400000e00000e1000000000000001410000', 'hex');

/** HKDF-Expand-Label with an empty context, for at most 32 bytes (RFC 8446 section 7.1). */
function expand(secret: Buffer, name: string, length: number): Buffer {
  const label = Buffer.from(`tls13 ${name}`);
  const info = Buffer.concat([Buffer.from([0, length, label.length]), label, Buffer.from([0, 1])]);
  return createHmac('sha256', secret).update(info).digest().subarray(0, length);
}

/** Encrypts the records that a server sends after its handshake. */
function protect(secret: Buffer) {
  const key = expand(secret, 'key', 16);
  const iv = expand(secret, 'iv', 12);
  const nonce = (sequence: number) => {
    const bytes = Buffer.from(iv);
    bytes.writeUInt32BE((bytes.readUInt32BE(8) ^ sequence) >>> 0, 8);
    return bytes;
  };
  return {
    isRecord(record: Buffer, sequence: number): boolean {
      if (record[0] !== APPLICATION_DATA) return false;
      const opened = createDecipheriv('aes-128-gcm', key, nonce(sequence));
      opened.setAAD(record.subarray(0, HEAD_BYTES)).setAuthTag(record.subarray(-TAG_BYTES));
      opened.update(record.subarray(HEAD_BYTES, -TAG_BYTES));
      try {
        opened.final();
        return true;
      } catch {
        return false;
      }
    },
    recordOf(content: Buffer, sequence: number): Buffer {
      const head = Buffer.from([APPLICATION_DATA, 3, 3, 0, 0]);
      head.writeUInt16BE(content.length + 1 + TAG_BYTES, 3);
      const sealed = createCipheriv('aes-128-gcm', key, nonce(sequence)).setAAD(head);
      const inner = Buffer.concat([content, Buffer.from([HANDSHAKE])]);
      return Buffer.concat([head, sealed.update(inner), sealed.final(), sealed.getAuthTag()]);
    },
  };
}

/** The records in what a server has sent, one after the other. */
function* recordsIn(bytes: Buffer): Generator<Buffer> {
  let at = 0;
  while (at + HEAD_BYTES <= bytes.length) {
    const end = at + HEAD_BYTES + bytes.readUInt16BE(at + 3);
    yield bytes.subarray(at, end);
    at = end;
  }
}

/** Makes the connection one of TLS 1.3 that sends `count` session tickets after the handshake, and then nothing. */
function sendTickets(raw: Socket, context: object, count: number): void {
  const sent: Buffer[] = [];
  const below = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      sent.push(chunk);
      raw.write(chunk, done);
    },
  });
  raw.on('data', (chunk) => below.push(chunk)).on('error', () => undefined);
  let secret = Buffer.alloc(0);
  const session = new TLSSocket(below, { isServer: true, ...context });
  session
    .on('error', () => undefined)
    .on('keylog', (line: Buffer) => {
      const [name, , value = ''] = line.toString().trim().split(' ');
      if (name === 'SERVER_TRAFFIC_SECRET_0') secret = Buffer.from(value, 'hex');
    });
  // The server's own tickets are written in the same turn as the end of the handshake.
  session.on('secure', () =>
    setImmediate(() => {
      const { isRecord, recordOf } = protect(secret);
      let sequence = 0;
      for (const record of recordsIn(Buffer.concat(sent))) if (isRecord(record, sequence)) sequence += 1;
      raw.write(recordOf(Buffer.concat(Array<Buffer>(count).fill(TICKET)), sequence));
    }),
  );
}

/** A server on the loopback address that sends this many session tickets on each connection. */
export async function startTicketServer(authority: Authority, count: number) {
  const { certificate: cert, privateKey: key } = await authority.issue('server');
  const ciphers = 'TLS_AES_128_GCM_SHA256';
  const secureContext = createSecureContext({ cert, key, minVersion: 'TLSv1.3', ciphers });
  const open = new Set<Socket>();
  const server = createServer((raw) => {
    open.add(raw);
    sendTickets(raw, { secureContext }, count);
  });
  const { port, close } = await listenOnLoopback(server);
  return {
    port,
    close() {
      for (const socket of open) socket.destroy();
      return close();
    },
  };
}
