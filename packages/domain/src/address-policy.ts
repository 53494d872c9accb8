import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

/** Whether an outgoing connection may go to this IP address (text, without brackets). */
export type AddressPolicy = (address: string) => boolean;
type ParsedCidrs = { ok: true; cidrs: string[] } | { ok: false; issues: string[] };

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Cidr = [Address, number];

/** Azure's metadata and platform address, which no registry of special addresses lists. */
const AZURE_PLATFORM = '168.63.129.16';
/** Global unicast, the only allocated part of IPv6: IANA IPv6 address space, RFC 4291 section 2.4. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** Prefixes within it that are not hosts on the public internet: IANA IPv6 special-purpose registry. */
const SPECIAL_IPV6 = [
  '2001::/23', // IETF protocol assignments, including Teredo and ORCHID: RFC 2928
  '2001:db8::/32', // documentation: RFC 3849
  '2002::/16', // 6to4, which carries an IPv4 address: RFC 3056
  '2620:4f:8000::/48', // AS112: RFC 7534
  '3fff::/20', // documentation: RFC 9637
].map((cidr) => ipaddr.IPv6.parseCIDR(cidr));
/** NAT64: the network's gateway forwards to the IPv4 address in the last 32 bits. RFC 6052 section 2.1. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const MAPPED_PREFIX_BITS = 96;
/** Cached address-policy decisions: there are few endpoints, and every delivery checks one. */
const MAX_CACHED_DECISIONS = 4_096;

/**
 * Creates the policy that prevents connections to private, loopback, link-local, metadata, mapped and tunnelled
 * addresses. It allows only public unicast addresses and `allowCidrs` (`EGRESS_ALLOW_CIDRS`, docs/specification.md,
 * "Outgoing addresses"). An IPv4 address inside an IPv6 one (`::ffff:0:0/96`, and NAT64's `64:ff9b::/96`, which every
 * name has on a network without IPv4) is checked as that IPv4 address. The policy also refuses anything that is not an
 * IP address, IPv4 in a form other than four decimal parts, and IPv6 with a zone.
 * @param allowCidrs the result of `parseCidrs`
 * @throws TypeError if one is not a CIDR
 */
export function createAddressPolicy(allowCidrs: readonly string[]): AddressPolicy {
  const allowed = allowCidrs.map((text) => {
    const cidr = parseCidr(text);
    if (cidr === null) throw new TypeError('createAddressPolicy needs CIDRs');
    return cidr;
  });
  const decide: AddressPolicy = (text) => {
    const address = parseAddress(text);
    if (address === null) return false;
    const target = unwrap(address);
    return isPublic(target) || allowed.some((cidr) => isWithin(target, cidr) || isWithin(address, cidr));
  };
  const decisions = new LRUCache<string, boolean>({ max: MAX_CACHED_DECISIONS, memoMethod: decide });
  return (text) => decisions.memo(text);
}

/**
 * Parses a comma-separated list of CIDRs (`10.0.0.0/8, fd00::/8`; an address without a prefix length is that address
 * only). Empty text is an empty list. Reports all issues at once.
 */
export function parseCidrs(text: string): ParsedCidrs {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const issues = entries
    .filter((entry) => parseCidr(entry) === null)
    .map((entry) => `"${entry}" is not an IP address range in CIDR form`);
  return issues.length === 0 ? { ok: true, cidrs: entries } : { ok: false, issues };
}

/** Refuses looser forms of IPv4 (octal, hexadecimal, fewer parts), because parsers interpret them differently. */
function parseAddress(text: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (!text.includes(':') || text.includes('%')) return null;
  const groups = inGroups(text);
  return ipaddr.IPv6.isValid(groups) ? ipaddr.IPv6.parse(groups) : null;
}

/**
 * IPv6 with its last 32 bits as two groups: ipaddr.js takes `::8.8.8.8` for `::ffff:8.8.8.8`, which is
 * another address.
 */
function inGroups(text: string): string {
  const tail = text.slice(text.lastIndexOf(':') + 1);
  if (!ipaddr.IPv4.isValidFourPartDecimal(tail)) return text;
  const hex = Buffer.from(ipaddr.IPv4.parse(tail).toByteArray()).toString('hex');
  return `${text.slice(0, -tail.length)}${hex.slice(0, 4)}:${hex.slice(4)}`;
}

function parseCidr(text: string): Cidr | null {
  const [base = '', bits, ...rest] = text.split('/');
  const address = parseAddress(base);
  if (address === null || rest.length > 0) return null;
  const length = address.kind() === 'ipv4' ? 32 : 128;
  if (bits === undefined) return unwrapCidr([address, length]);
  return /^\d{1,3}$/.test(bits) && Number(bits) <= length ? unwrapCidr([address, Number(bits)]) : null;
}

/** Converts a range of mapped addresses to the IPv4 range. */
function unwrapCidr([address, bits]: Cidr): Cidr {
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= MAPPED_PREFIX_BITS) {
    return [address.toIPv4Address(), bits - MAPPED_PREFIX_BITS];
  }
  return [address, bits];
}

function unwrap(address: Address): Address {
  if (address instanceof ipaddr.IPv4) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  return address.match(NAT64) ? new ipaddr.IPv4(address.toByteArray().slice(-4)) : address;
}

function isPublic(address: Address): boolean {
  if (address instanceof ipaddr.IPv4) {
    return address.range() === 'unicast' && address.toString() !== AZURE_PLATFORM;
  }
  return (
    address.range() === 'unicast' &&
    address.match(GLOBAL_UNICAST) &&
    !SPECIAL_IPV6.some((special) => address.match(special))
  );
}

function isWithin(address: Address, [base, bits]: Cidr): boolean {
  if (address instanceof ipaddr.IPv4) return base instanceof ipaddr.IPv4 && address.match(base, bits);
  return base instanceof ipaddr.IPv6 && address.match(base, bits);
}
