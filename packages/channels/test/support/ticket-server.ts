import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import type { Authority } from '@postrider/rig/certificates';
import { startFloodingServer } from './flooding-server.ts';

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

/** A server on the loopback address that sends this many session tickets of TLS 1.3 on each connection. */
export function startTicketServer(authority: Authority, count: number) {
  const options = { minVersion: 'TLSv1.3', ciphers: 'TLS_AES_128_GCM_SHA256' } as const;
  return startFloodingServer(authority, options, ({ sent, keyOf }) => {
    const { isRecord, recordOf } = protect(keyOf('SERVER_TRAFFIC_SECRET_0').secret);
    let sequence = 0;
    for (const record of recordsIn(sent)) if (isRecord(record, sequence)) sequence += 1;
    return recordOf(Buffer.concat(Array<Buffer>(count).fill(TICKET)), sequence);
  });
}
