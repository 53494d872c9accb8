import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const TXT = 16;
const NAME_ERROR = 3;

/** The name of the first question, and where the question ends. */
function questionOf(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 };
}

function txtRecord(text: string): Buffer {
  const parts = text.match(/.{1,255}/g) ?? [''];
  const data = Buffer.concat(parts.map((part) => Buffer.from([part.length, ...Buffer.from(part, 'latin1')])));
  // A pointer to the name of the question, the type, the class, and a lifetime of a minute.
  const head = Buffer.from([0xc0, 12, 0, TXT, 0, 1, 0, 0, 0, 60, 0, 0]);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

/** A DNS server on this machine that answers with these TXT records by name, and with "no such name" otherwise. */
export async function startDns(records: Readonly<Record<string, readonly string[]>>) {
  const socket = createSocket('udp4');
  socket.on('message', (query, peer) => {
    const { name, end } = questionOf(query);
    const texts = records[name];
    const answers = (texts ?? []).map(txtRecord);
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(0x8180 | (texts ? 0 : NAME_ERROR), 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(answers.length, 6);
    head.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([head, query.subarray(12, end), ...answers]), peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, close: () => socket.close() };
}
