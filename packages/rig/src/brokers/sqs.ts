import { type BrokerProtocol, splitting } from './protocol.ts';

const BODY = JSON.stringify({ MessageId: 'b3a5d5f0-6e2c-4f7e-9a44-0b4f6d0d1c11', MD5OfMessageBody: 'x' });

/** The parts of the response to `SendMessage`. */
const PARTS: Readonly<Record<string, string>> = {
  'status line': 'HTTP/1.1 200 OK\r\n',
  headers: `content-type: application/x-amz-json-1.0\r\ncontent-length: ${BODY.length}\r\n\r\n`,
  body: BODY,
};

const END_OF_HEADERS = '\r\n\r\n';

function requestLength(bytes: Buffer): number | null {
  const head = bytes.indexOf(END_OF_HEADERS);
  if (head === -1) return null;
  const length = /^content-length: *(\d+)/im.exec(bytes.subarray(0, head).toString('latin1'))?.[1];
  return head + END_OF_HEADERS.length + Number(length ?? 0);
}

/** Amazon SQS over HTTP without TLS. It takes every message. */
export const sqsBroker: BrokerProtocol = {
  steps: Object.keys(PARTS),
  foretell: (step) => Buffer.from(PARTS[step] ?? ''),
  stray: Buffer.from(Object.values(PARTS).join('')),
  huge: Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 999999999999999\r\n\r\n'),
  converse: () =>
    splitting(requestLength, () =>
      Object.entries(PARTS).map(([step, text]) => ({ step, bytes: Buffer.from(text) })),
    ),
};
