import type { TLSSocket } from 'node:tls';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { limitHandshakes } from '../../../certificates.ts';

/** The most blank lines in what is read at once. A server has no reason to send any. */
const MAX_BLANK_LINES = 64;
const LINE_FEED = 0x0a;
const SPACE = 0x20;
/** Also trimmed by the library, which reads bytes as Latin-1. */
const NO_BREAK_SPACE = 0xa0;

/** The library's methods for what a server sends and for TLS, which its types omit. */
interface Reading {
  readonly _socket: TLSSocket;
  _onData(chunk: Buffer): void;
  _onResponseTooLarge(): void;
  _upgradeConnection(callback: unknown): void;
}

/** Counts lines without text, except the first, whose beginning may have been read before. */
function blankLinesIn(chunk: Buffer): number {
  let count = 0;
  let isBlank = false;
  for (const octet of chunk) {
    if (octet === LINE_FEED) {
      if (isBlank) count += 1;
      isBlank = true;
    } else if (octet > SPACE && octet !== NO_BREAK_SPACE) isBlank = false;
  }
  return count;
}

/**
 * Makes the library end a connection whose server sends many messages of the handshake or blank lines. It would keep each line as a reply
 * without a limit, and skip one in each turn of the event loop, in time that grows with their number: a server that sends nothing
 * else would stop the process.
 */
export function limitInput(): void {
  const reading = SMTPConnection.prototype as unknown as Reading;
  const onData = reading._onData;
  reading._onData = function (this: Reading, chunk) {
    if (blankLinesIn(chunk) > MAX_BLANK_LINES) this._onResponseTooLarge();
    else onData.call(this, chunk);
  };
  const upgrade = reading._upgradeConnection;
  reading._upgradeConnection = function (this: Reading, callback) {
    const plain = this._socket;
    upgrade.call(this, callback);
    if (this._socket !== plain) limitHandshakes(this._socket);
  };
}
