/** The longest text that can be an address: 45 characters, and a zone with the name of an interface. */
const MAX_ADDRESS = 100;
const GROUPS = 8;

/** The usual form of IPv4 in IPv6, which sockets report that listen on both. */
const MAPPED = "::ffff:";

/**
 * Returns the canonical spelling of an IP address: IPv6 by RFC 5952, IPv4 that is mapped into IPv6 as IPv4, without a zone. Returns
 * undefined if the text is no address. An octet with a leading zero is refused, since some programs read it as octal.
 *
 * It is written by hand because callers run it for each packet, and `net.SocketAddress` takes longer.
 */
export function addressOf(text: string): string | undefined {
  if (text.length > MAX_ADDRESS) return undefined;
  if (!text.includes(":")) return octetsOf(text) === undefined ? undefined : text;
  if (text.startsWith(MAPPED) && octetsOf(text, MAPPED.length) !== undefined) return text.slice(MAPPED.length);
  const zone = text.indexOf("%");
  if (zone === text.length - 1) return undefined;
  const groups = groupsOf(zone === -1 ? text : text.slice(0, zone));
  if (groups === undefined) return undefined;
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  const [high = 0, low = 0] = groups.slice(6);
  return isMapped ? `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}` : written(groups);
}

/** Returns the four numbers of the IPv4 address that begins at `from`. */
function octetsOf(text: string, from = 0): readonly number[] | undefined {
  const octets: number[] = [];
  let value = -1;
  for (let i = from; i <= text.length; i++) {
    const digit = text.charCodeAt(i) - 48; // NaN past the end
    if (digit >= 0 && digit <= 9) {
      if (value === 0) return undefined;
      value = Math.max(value, 0) * 10 + digit;
      if (value > 255) return undefined;
    } else {
      if (value === -1 || (i < text.length && digit !== -2)) return undefined; // "." is two before "0"
      octets.push(value);
      value = -1;
    }
  }
  return octets.length === 4 ? octets : undefined;
}

/** Returns the eight numbers of an IPv6 address. */
function groupsOf(text: string): readonly number[] | undefined {
  const gap = text.indexOf("::");
  if (gap === -1) {
    const groups = sixteens(text);
    return groups?.length === GROUPS ? groups : undefined;
  }
  const before = gap === 0 ? [] : sixteens(text.slice(0, gap), true);
  const after = gap + 2 === text.length ? [] : sixteens(text.slice(gap + 2));
  if (before === undefined || after === undefined) return undefined;
  const missing = GROUPS - before.length - after.length;
  return missing < 1 ? undefined : [...before, ...Array.from({ length: missing }, () => 0), ...after];
}

/** Returns the numbers between colons; the last two may be written as IPv4 at the end of an address. */
function sixteens(text: string, isStart = false): number[] | undefined {
  const groups: number[] = [];
  const parts = text.split(":");
  for (const [i, part] of parts.entries()) {
    if (/^[0-9a-fA-F]{1,4}$/.test(part)) {
      groups.push(Number.parseInt(part, 16));
      continue;
    }
    const octets = isStart || i < parts.length - 1 ? undefined : octetsOf(part);
    if (octets === undefined) return undefined;
    const [a = 0, b = 0, c = 0, d = 0] = octets;
    groups.push((a << 8) | b, (c << 8) | d);
  }
  return groups;
}

/** Writes an IPv6 address: in lower case, with the first of its longest runs of zeros left out (RFC 5952, section 4). */
function written(groups: readonly number[]): string {
  let [start, length] = [-1, 1];
  for (let i = 0; i < GROUPS; i++) {
    let end = i;
    while (end < GROUPS && groups[end] === 0) end++;
    if (end - i > length) [start, length] = [i, end - i];
    i = Math.max(i, end - 1);
  }
  const hex = (some: readonly number[]) => some.map((group) => group.toString(16)).join(":");
  if (start === -1) return hex(groups);
  return `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}
