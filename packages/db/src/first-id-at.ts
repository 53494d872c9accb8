import { Prisma } from './client.ts';

/**
 * The SQL of the smallest UUIDv7 of a millisecond since 1970: message ids carry the time of their creation (decision
 * 0004), so that a bound of time is a bound of ids. `ms` is SQL of a number, up to the year 10889; a fraction is cut off.
 * Before 1970 it is the smallest of all: a negative number has 16 digits in `to_hex`, and `lpad` would cut off the last.
 */
export function firstIdAt(ms: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    (lpad(to_hex(GREATEST(0, floor(${ms}))::int8), 12, '0') || '70008000000000000000')::uuid`;
}
