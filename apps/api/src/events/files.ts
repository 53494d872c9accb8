import { decodeFile, fileMarker, refuse, reject } from '@postrider/domain';
import { MAX_BODY_BYTES } from '../http/admission.ts';

/** Shorter strings stay in the payload. */
const MIN_FILE_CHARACTERS = 4 * 1024;
const MAX_FILES = 20;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const SPACES = [0x20, 0x09, 0x0a, 0x0d];

const TOO_LARGE = refuse('payload_too_large', {
  message: `Without files in base64, a body has at most ${MAX_BODY_BYTES} bytes.`,
});
const TOO_MANY = refuse('payload_too_large', { message: `An event has at most ${MAX_FILES} files.` });

/**
 * Takes files out of the body of a large event: base64 strings of 4 KiB and more. The rest is at most as large as any
 * other body, so parsing and checking it costs no more. The number of small strings that it scans is limited in the
 * same way, whatever the body contains. A body that is not JSON is returned unchanged, or refused as too large.
 * @returns the body with markers instead of files, and the files, numbered from 1
 * @throws RefusedError if the body without them is too large, or they are too many
 */
export function takeFiles(body: Uint8Array): {
  readonly bytes: Uint8Array;
  readonly files: readonly Buffer[];
} {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const pieces: Buffer[] = [];
  const files: Buffer[] = [];
  let taken = 0;
  let copied = 0;
  for (let open = bytes.indexOf(QUOTE); open >= 0; ) {
    const close = endOfString(bytes, open, MAX_BODY_BYTES + taken);
    if (close < 0) reject(TOO_LARGE);
    const file = fileAt(bytes, open, close);
    if (file) {
      if (files.length === MAX_FILES) reject(TOO_MANY);
      files.push(file);
      pieces.push(bytes.subarray(copied, open), Buffer.from(`"${fileMarker(files.length, file)}"`));
      copied = close + 1;
      taken += close + 1 - open;
    }
    if (close + 1 - taken > MAX_BODY_BYTES) reject(TOO_LARGE);
    open = bytes.indexOf(QUOTE, close + 1);
  }
  if (bytes.byteLength - taken > MAX_BODY_BYTES) reject(TOO_LARGE);
  return { bytes: Buffer.concat([...pieces, bytes.subarray(copied)]), files };
}

/**
 * The index of the string's closing quote. -1 if there is none, or if a string with escapes, which cannot be a file,
 * ends after `limit`.
 */
function endOfString(bytes: Buffer, open: number, limit: number): number {
  for (let at = bytes.indexOf(QUOTE, open + 1); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let backslashes = 0;
    while (bytes[at - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at;
    if (at > limit) return -1;
  }
  return -1;
}

/** The file in a string; null for a key, and for other strings. */
function fileAt(bytes: Buffer, open: number, close: number): Buffer | null {
  if (close - open <= MIN_FILE_CHARACTERS) return null;
  let next = close + 1;
  while (SPACES.includes(bytes[next] ?? 0)) next += 1;
  if (bytes[next] === COLON) return null;
  return decodeFile(bytes.toString('latin1', open + 1, close).replace(/\\[rn]/g, ''));
}
