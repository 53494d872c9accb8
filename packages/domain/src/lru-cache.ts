/** The cache for all bounded maps: evicts the least recently used entry. */
export { LRUCache } from 'lru-cache';
