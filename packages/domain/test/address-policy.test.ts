import { describe, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import { createAddressPolicy, parseCidrs } from '../src/index.ts';

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '172.15.255.255',
  '172.32.0.1',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:82a::200e',
  '2400:cb00::1',
  '2001:4860:4860::8888',
  '::ffff:8.8.8.8',
  '::ffff:808:808',
  '64:ff9b::8.8.8.8',
];

const REFUSED: [string, string[]][] = [
  ['this network', ['0.0.0.0', '0.1.2.3', '::']],
  ['loopback', ['127.0.0.1', '127.255.255.254', '::1']],
  [
    'private',
    ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12:3456::1', 'fec0::1'],
  ],
  ['shared by carriers', ['100.64.0.1', '100.127.255.255', '100.100.100.200']],
  ['link-local', ['169.254.0.1', 'fe80::1', 'febf::1']],
  ['metadata', ['169.254.169.254', '168.63.129.16', 'fd00:ec2::254', '192.0.0.192', '169.254.170.2']],
  ['multicast and broadcast', ['224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1']],
  ['reserved', ['192.0.0.1', '192.88.99.1', '240.0.0.1', '4000::1', '100::1', '100:0:0:1::1', '5f00::1']],
  [
    'documentation and benchmarks',
    ['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '2001:db8::1', '3fff::1', '2001:2::1'],
  ],
  [
    'IPv4 within IPv6',
    [
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::ffff:169.254.169.254',
      '::ffff:168.63.129.16',
      '::127.0.0.1',
      '::8.8.8.8',
      '::ffff:0:127.0.0.1',
    ],
  ],
  [
    'NAT64 to what is refused',
    ['64:ff9b::127.0.0.1', '64:ff9b::a00:1', '64:ff9b:1::8.8.8.8', '64:ff9b::a9fe:a9fe'],
  ],
  [
    'tunnelled',
    ['2002:7f00:1::', '2002:808:808::1', '2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:20::1'],
  ],
  ['with a zone', ['fe80::1%eth0', '2606:4700:4700::1111%eth0', '2606:4700:4700::1111%1']],
  [
    'in another notation',
    ['0x7f.1', '127.1', '2130706433', '0177.0.0.1', '8.8.8.010', '8.8.8', '[::1]', '[2606:4700:4700::1111]'],
  ],
  [
    'no addresses',
    [
      '',
      'localhost',
      'example.com',
      ' 8.8.8.8',
      '8.8.8.8 ',
      '8.8.8.8\n',
      '8.8.8.8:80',
      '8.8.8.8/32',
      '256.1.1.1',
      ':::',
    ],
  ],
];

describe('the address policy', () => {
  it.each(PUBLIC)('lets %s through', (address) => {
    expect(createAddressPolicy([])(address)).toBe(true);
  });

  it.each(REFUSED.flatMap(([kind, addresses]) => addresses.map((address) => [address, kind])))(
    'refuses %j: %s',
    (address) => {
      expect(createAddressPolicy([])(address)).toBe(false);
    },
  );

  it('checks a mapped or NAT64 address as the IPv4 address in it', () => {
    const isAllowed = createAddressPolicy([]);
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(isAllowed(`::ffff:${address}`)).toBe(isAllowed(address));
        expect(isAllowed(`64:ff9b::${address}`)).toBe(isAllowed(address));
      }),
    );
  });

  it('refuses every IPv6 address outside of 2000::/3 that does not contain an IPv4 address', () => {
    const isAllowed = createAddressPolicy([]);
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        fc.pre(!/^[23][0-9a-f]{3}:/i.test(address));
        if (isAllowed(address)) expect(address.toLowerCase()).toMatch(/^(?:64:ff9b:|[0:]*ffff:)/);
      }),
    );
  });
});

describe('allowed ranges', () => {
  it.each([
    ['10.0.0.0/8', '10.1.2.3', true],
    ['10.0.0.0/8', '11.1.2.3', true],
    ['10.0.0.0/8', '127.0.0.1', false],
    ['127.0.0.1', '127.0.0.1', true],
    ['127.0.0.1', '127.0.0.2', false],
    ['127.0.0.1/8', '127.9.9.9', true],
    ['127.0.0.0/8', '::ffff:127.0.0.1', true],
    ['127.0.0.0/8', '::1', false],
    ['::1', '::1', true],
    ['::1/128', '127.0.0.1', false],
    ['::ffff:127.0.0.0/104', '127.0.0.1', true],
    ['::ffff:127.0.0.0/104', '::ffff:127.0.0.1', true],
    ['fd00::/8', 'fd12::1', true],
    ['168.63.129.16/32', '168.63.129.16', true],
    ['0.0.0.0/0', '192.168.1.1', true],
    ['0.0.0.0/0', 'fd12::1', false],
    ['::/0', 'fd12::1', true],
    ['fe80::/10', 'fe80::1%eth0', false],
  ])('%s and %s: %s', (cidr, address, expected) => {
    expect(createAddressPolicy([cidr])(address)).toBe(expected);
  });

  it('are parsed from a list', () => {
    expect(parseCidrs('')).toEqual({ ok: true, cidrs: [] });
    expect(parseCidrs(' 10.0.0.0/8 ,fd00::/8, 127.0.0.1,')).toEqual({
      ok: true,
      cidrs: ['10.0.0.0/8', 'fd00::/8', '127.0.0.1'],
    });
  });

  it.each([
    '10.0.0.0/33',
    '10.0.0/8',
    'fd00::/129',
    'localhost',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    'fe80::1%eth0/64',
    '10.0.0.0/ 8',
  ])('are refused for %j, with each invalid entry named', (text) => {
    const parsed = parseCidrs(`127.0.0.1,${text},also-bad`);
    expect(parsed).toEqual({
      ok: false,
      issues: [expect.stringContaining(`"${text}"`), expect.stringContaining('"also-bad"')],
    });
    expect(() => createAddressPolicy([text])).toThrow(TypeError);
  });
});
