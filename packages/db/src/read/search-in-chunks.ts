import { type Page, type PageRequest, pageOf } from '../pages.ts';

/** Entries to examine: in the first chunk, in each later one, in total. The first is smaller, because most pages are full with it. */
interface ChunkSizes {
  readonly first: number;
  readonly next: number;
  readonly most: number;
}

interface ChunkRequest {
  /** The position behind which the chunk begins; null for the beginning of the list. */
  readonly after: string | null;
  /** The most entries to examine. */
  readonly size: number;
  /** The most rows that the page still takes, with the one that shows that there are more. */
  readonly wanted: number;
}

interface Chunk<Row> {
  /** The rows that match. */
  readonly found: readonly Row[];
  readonly examined: number;
  /** The position of the last examined entry; null if there are no more. */
  readonly end: string | null;
}

/**
 * Reads a page of a list whose filter no index supports. It examines at most `most` entries, so that a page has a known cost:
 * it can be short or empty although there are more, and `nextAfter` then says where to continue.
 */
export async function searchInChunks<Row>(
  { after, limit }: PageRequest,
  { first, next, most }: ChunkSizes,
  keyOf: (row: Row) => string,
  read: (asked: ChunkRequest) => Promise<Chunk<Row>>,
): Promise<Page<Row>> {
  const found: Row[] = [];
  let end = after;
  let left = most;
  for (let size = first; left > 0 && found.length <= limit; size = next) {
    const asked = { after: end, size: Math.min(size, left), wanted: limit + 1 - found.length };
    const chunk = await read(asked);
    found.push(...chunk.found);
    end = chunk.end;
    if (end === null) break;
    left -= chunk.examined;
  }
  const { rows, nextAfter } = pageOf(found, limit, keyOf);
  return { rows, nextAfter: nextAfter ?? end };
}
