import type { Attack, AttackContext, Outcome } from '../attack.ts';
import { type Conversation, converse } from '../target/sockets.ts';

/**
 * `refused`: the answer is an error that closes the connection, so that nothing after the request is read as
 * another one. `taken`: the end of the request is unambiguous, and the next request is answered, too.
 * `either`: the request is answered, and the next one is answered correctly or not at all.
 */
type Expected = 'refused' | 'taken' | 'either';

interface Variant {
  readonly name: string;
  readonly expected: Expected;
  readonly bytes: string;
}

/** Shorter than the limit for headers (10 s), so that only an answer closes a connection. */
const DEADLINE_MS = 9_000;
const SMUGGLED_ID = 'smuggled-request';
const FOLLOWING_ID = 'following-request';

/** Must never be answered as a separate request. */
const SMUGGLED = `GET /healthz HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${SMUGGLED_ID}\r\n\r\n`;
/** The next request of an innocent client on a connection that a proxy shares. */
const FOLLOWING = `GET /healthz HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${FOLLOWING_ID}\r\nConnection: close\r\n\r\n`;

const chunk = (text: string, extension = '') => `${text.length.toString(16)}${extension}\r\n${text}\r\n`;
const END = '0\r\n\r\n';

/** A POST whose headers are given as lines. */
const post = (headers: readonly string[], body: string) =>
  `POST /api/v1/events HTTP/1.1\r\nHost: a\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n${body}`;

const variant = (name: string, expected: Expected, bytes: string): Variant => ({ name, expected, bytes });

const LENGTH = `Content-Length: ${SMUGGLED.length}`;
const CHUNKED = 'Transfer-Encoding: chunked';

/** Forms of Transfer-Encoding that some servers treat as chunked and others do not. */
const OBFUSCATED = [
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding:\x0bchunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: identity, chunked, identity',
  'Transfer-Encoding: "chunked"',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: x',
  'Transfer-Encoding: x\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding\x00: chunked',
  'X: x\nTransfer-Encoding: chunked',
  ' Transfer-Encoding: chunked',
  'Transfer-Encoding:\r\n chunked',
];

const LENGTHS = [
  '+5',
  '-1',
  '0x5',
  '5, 5',
  '5,6',
  '5 5',
  '5e0',
  '',
  '99999999999999999999',
  '\x005',
  '5;',
  '٥',
];

const VARIANTS: readonly Variant[] = [
  variant('CL.TE', 'refused', post([LENGTH, CHUNKED], END + SMUGGLED)),
  variant('TE.CL', 'refused', post([CHUNKED, 'Content-Length: 4'], `${chunk(SMUGGLED)}${END}`)),
  ...OBFUSCATED.map((line) =>
    variant(`TE.TE ${JSON.stringify(line)}`, 'refused', post([LENGTH, line], END + SMUGGLED)),
  ),
  variant('two Content-Lengths that differ', 'refused', post([LENGTH, 'Content-Length: 0'], SMUGGLED)),
  variant(
    'two Content-Lengths that are equal',
    'refused',
    post(['Content-Length: 5', 'Content-Length: 5'], '{"a":'),
  ),
  ...LENGTHS.map((length) =>
    variant(
      `Content-Length ${JSON.stringify(length)}`,
      'refused',
      post([`Content-Length: ${length}`], SMUGGLED),
    ),
  ),
  variant(
    'Content-Length before a blank',
    'refused',
    post([`Content-Length : ${SMUGGLED.length}`], SMUGGLED),
  ),
  variant('chunk extensions', 'taken', post([CHUNKED], `${chunk('{}', ';a=b;c="d"')}${END}`)),
  variant('a chunk extension with a bare LF', 'refused', post([CHUNKED], `2;\nxx\r\n${END}${SMUGGLED}`)),
  variant('a chunk size with a sign', 'refused', post([CHUNKED], `+2\r\n{}\r\n${END}${SMUGGLED}`)),
  variant('a chunk size with 0x', 'refused', post([CHUNKED], `0x2\r\n{}\r\n${END}${SMUGGLED}`)),
  variant(
    'a chunk size beyond 64 bits',
    'refused',
    post([CHUNKED], `10000000000000002\r\n{}\r\n${END}${SMUGGLED}`),
  ),
  variant('a chunk longer than its size', 'refused', post([CHUNKED], `2\r\n{}xx\r\n${END}${SMUGGLED}`)),
  variant('chunks ended by a bare LF', 'refused', post([CHUNKED], `2\n{}\n0\n\n${SMUGGLED}`)),
  variant('chunks ended by a bare CR', 'refused', post([CHUNKED], `2\r{}\r0\r\r${SMUGGLED}`)),
  variant('a request in the trailer', 'taken', post([CHUNKED], `0\r\nX-Request-Id: ${SMUGGLED_ID}\r\n\r\n`)),
  variant('headers ended by bare LFs', 'refused', `GET /healthz HTTP/1.1\nHost: a\n\n${SMUGGLED}`),
  variant('headers ended by bare CRs', 'refused', `GET /healthz HTTP/1.1\rHost: a\r\r${SMUGGLED}`),
  variant('a NUL in a header', 'refused', `GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\x00b\r\n\r\n${SMUGGLED}`),
  variant('a NUL in the target', 'refused', `GET /health\x00z HTTP/1.1\r\nHost: a\r\n\r\n${SMUGGLED}`),
  variant('a folded header', 'refused', `GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n${SMUGGLED}`),
  variant('a header without a colon', 'refused', `GET /healthz HTTP/1.1\r\nHost: a\r\nX\r\n\r\n${SMUGGLED}`),
  variant('no Host', 'refused', `GET /healthz HTTP/1.1\r\n\r\n${SMUGGLED}`),
  variant('two Hosts', 'refused', `GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n${SMUGGLED}`),
  variant('absolute form', 'taken', 'GET http://other.example/healthz HTTP/1.1\r\nHost: a\r\n\r\n'),
  variant('HTTP/0.9', 'refused', `GET /healthz\r\n${SMUGGLED}`),
  variant('HTTP/1.2', 'refused', `GET /healthz HTTP/1.2\r\nHost: a\r\n\r\n${SMUGGLED}`),
  variant('the preface of HTTP/2', 'refused', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${SMUGGLED}`),
  variant(
    'Upgrade: h2c',
    'either',
    'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
  ),
  variant(
    'Upgrade: websocket with a body',
    'either',
    post(['Connection: Upgrade', 'Upgrade: websocket', LENGTH], SMUGGLED),
  ),
  variant('CONNECT', 'refused', `CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n${SMUGGLED}`),
  variant('a body on GET', 'taken', `GET /healthz HTTP/1.1\r\nHost: a\r\n${LENGTH}\r\n\r\n${SMUGGLED}`),
  variant('Content-Length as a body has it', 'taken', post([LENGTH], SMUGGLED)),
];

/** Status and request id of each answer on a connection, in order. */
function answersIn(text: string): { status: number; id: string | undefined }[] {
  return text
    .split(/(?=HTTP\/1\.[01] \d{3} )/)
    .filter((part) => part.startsWith('HTTP/1.'))
    .map((part) => ({
      status: Number(part.slice(9, 12)),
      id: /^x-request-id: (.*)\r$/im.exec(part)?.[1],
    }));
}

/** The difference from the expected answers; null if there is none. */
function wrongWith({ expected }: Variant, { text, isClosed }: Conversation): string | null {
  const answers = answersIn(text);
  const seen = answers.map(({ status }) => status).join(', ') || 'nothing';
  if (answers.some(({ id }) => id === SMUGGLED_ID)) return `the smuggled request was answered (${seen})`;
  if (expected === 'either') return answers.length > 0 ? null : 'was not answered';
  if (!isClosed) return `the connection was still open after ${DEADLINE_MS} ms (${seen})`;
  const isFollowed = answers.at(-1)?.id === FOLLOWING_ID;
  if (expected === 'taken') return answers.length === 2 && isFollowed ? null : `answered ${seen}`;
  if (isFollowed || answers.length > 1) return `the connection went on (${seen})`;
  return (answers[0]?.status ?? 400) >= 400 ? null : `answered ${seen}`;
}

async function smuggle({ target, amount }: AttackContext): Promise<Outcome> {
  const violations: string[] = [];
  for (let round = 0; round < amount(1, 10); round += 1) {
    const wrong = await Promise.all(
      VARIANTS.map(async (each) => {
        const conversation = await converse(target.api.url, each.bytes + FOLLOWING, DEADLINE_MS);
        const why = wrongWith(each, conversation);
        return why && `${each.name}: ${why}`;
      }),
    );
    violations.push(...wrong.filter((why) => why !== null));
  }
  return { figures: { variants: VARIANTS.length }, violations: [...new Set(violations)] };
}

export const SMUGGLING: Attack = { name: 'request smuggling', run: smuggle };
