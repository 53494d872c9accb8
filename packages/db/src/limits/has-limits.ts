import { Prisma } from '../client.ts';

/** A condition on `channel`: its runs are claimed within limits. It is the predicate of the index `channels_limited`. */
export const HAS_LIMITS: Prisma.Sql = Prisma.sql`(channel.max_per_second IS NOT NULL OR channel.max_in_flight IS NOT NULL)`;
