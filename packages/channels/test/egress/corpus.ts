/**
 * Ways to write an address that must not be reached, after the public lists of SSRF tests and the host and authority cases of the
 * URL Standard's tests. Every name in it is taken to lead to private addresses, so nothing in it is public.
 */

const TARGETS = [
  '127.0.0.1',
  '10.0.0.1',
  '169.254.169.254',
  '192.168.0.1',
  '172.16.0.1',
  '0.0.0.0',
  '100.64.0.1',
];

const fullwidth = (text: string) =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
/** U+2460 is 1 in a circle, U+24EA is 0. */
const circled = (text: string) =>
  text.replace(/\d/g, (digit) => (digit === '0' ? '\u24ea' : String.fromCodePoint(0x245f + Number(digit))));
const percent = (text: string) =>
  [...text].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');
/** U+1D7CE is a bold 0. */
const bold = (text: string) => text.replace(/\d/g, (digit) => String.fromCodePoint(0x1d7ce + Number(digit)));

/** The notations of an IPv4 address that some parser takes. */
function notations(address: string): string[] {
  const parts = address.split('.').map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = parts;
  const whole = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  const hex = (value: number, digits = 0) => value.toString(16).padStart(digits, '0');
  const [high, low] = [hex((a << 8) | b), hex((c << 8) | d)];
  return [
    address,
    `${address}.`,
    String(whole),
    `${whole}.`,
    `0x${hex(whole, 8)}`,
    `0X${hex(whole, 8).toUpperCase()}`,
    `0x00000000${hex(whole, 8)}`,
    `0${whole.toString(8)}`,
    parts.map((part) => `0x${hex(part)}`).join('.'),
    parts.map((part) => `0${part.toString(8)}`).join('.'),
    parts.map((part) => `000000${part.toString(8)}`).join('.'),
    `0x${hex(a)}.${b}.0${c.toString(8)}.${d}`,
    `${a}.${b}.${(c << 8) | d}`,
    `${a}.${((b << 16) | (c << 8) | d) >>> 0}`,
    `0x${hex(a)}.0x${hex(((b << 16) | (c << 8) | d) >>> 0)}`,
    fullwidth(address),
    circled(address),
    bold(address),
    address.replaceAll('.', '\u3002'),
    address.replaceAll('.', '\uff0e'),
    address.replaceAll('.', '\uff61'),
    percent(address),
    address.replaceAll('.', '%2e'),
    address.replace('.', '\u00ad.'),
    address.replace('.', '.\u200b'),
    `[::ffff:${address}]`,
    `[::ffff:${high}:${low}]`,
    `[0:0:0:0:0:ffff:${high}:${low}]`,
    `[0000:0000:0000:0000:0000:FFFF:${high}:${low}]`,
    `[::${address}]`,
    `[::ffff:0:${address}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b:1::${address}]`,
    `[2002:${high}:${low}::]`,
    `[2002:${high}:${low}::1]`,
    `[2001:0:${high}:${low}::]`,
  ];
}

const IPV6 = [
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '[0::0:1]',
  '[::0001]',
  '[::1%25lo]',
  '[::1%lo]',
  '[fe80::1]',
  '[fe80::1%25eth0]',
  '[febf::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fdff:ffff::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[100::1]',
  '[5f00::1]',
  '[2001:db8::1]',
  '[3fff::1]',
];

/** Names. The resolver of the tests gives each a private address. */
const NAMES = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'LocalHost.LocalDomain',
  'a.localhost',
  'ip6-localhost',
  'ip6-loopback',
  '\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3',
  '\uff4c\uff4f\uff43\uff41\uff4c\uff48\uff4f\uff53\uff54',
  'loc%61lhost',
  'localtest.me',
  'lvh.me',
  '127.0.0.1.nip.io',
  '10.0.0.1.sslip.io',
  'spoofed.burpcollaborator.net',
  'metadata',
  'metadata.google.internal',
  'instance-data',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
  'host.docker.internal',
  'gateway.docker.internal',
  'redis',
  'postgres',
  'xn--fsqu00a.example',
  'rebind.example.com',
  '1u.ms',
  'make-1.2.3.4-rebind-127.0.0.1-rr.1u.ms',
  '0x7f.1.example.com',
  'a'.repeat(63),
];

/** Hosts as a URL has them. */
export const HOSTS: readonly string[] = [...new Set([...TARGETS.flatMap(notations), ...IPV6, ...NAMES])];

/** URLs whose parts parsers have read in different ways. `{}` is a private host with its port. */
const CONFUSIONS = [
  'http://{}',
  'http://{}/',
  'HTTP://{}/',
  'http:{}/',
  'http:/{}/',
  'http:///{}/',
  'http:////{}/',
  'http:\\\\{}\\',
  'http:/\\{}/',
  'http://\\{}/',
  'http://@{}/',
  'http://user@{}/',
  'http://user:pass@{}/',
  'http://example.com@{}/',
  'http://example.com:80@{}/',
  'http://example.com%40{}/',
  'http://example.com%2f@{}/',
  'http://example.com%23@{}/',
  'http://example.com#@{}/',
  'http://example.com?@{}/',
  'http://example.com\\@{}/',
  'http://example.com;@{}/',
  'http://example.com&@{}/',
  'http://example.com @{}/',
  'http://example.com\t@{}/',
  'http://example.com\n@{}/',
  'http://{}\\@example.com/',
  'http://{}#@example.com/',
  'http://{}?@example.com/',
  'http://{}%00.example.com/',
  'http://{}%2f.example.com/',
  'http://{}\t/',
  'http://{}\r\n/',
  '\thttp://{}/',
  ' http://{}/ ',
  'ht\ntp://{}/',
  'http://{}/..//../',
  'http://{}/%2e%2e/',
  'http://{}//example.com/',
  'http://{}:80/',
  'http://[{}]/',
  'http://{},example.com/',
  'http://example.com,{}/',
  'http://{}\u2024example.com/',
  'http://{}\u00a0/',
  'https:{}/',
  'https://{}/',
  'ftp://{}/',
  'file://{}/etc/passwd',
  'gopher://{}/_x',
  'ws://{}/',
  'jar:http://{}!/',
  'view-source:http://{}/',
  'javascript://{}/%0aalert(1)',
  'data:text/plain,http://{}/',
  '//{}/',
  '{}',
];

/** Every form as a URL that leads to a port. */
export function urlForms(port: number): readonly string[] {
  const hosts = HOSTS.map((host) => `http://${host}:${port}/hook`);
  const confused = CONFUSIONS.flatMap((shape) =>
    ['127.0.0.1', '[::1]', 'localhost'].map((host) => shape.replace('{}', `${host}:${port}`)),
  );
  return [...new Set([...hosts, ...confused])];
}
