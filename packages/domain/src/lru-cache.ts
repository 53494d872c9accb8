/** The only cache with a bound on its entries: the one used longest ago goes first. */
export { LRUCache } from 'lru-cache';
