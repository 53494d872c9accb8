/** The package has no types of its own. */
declare module 'cluster-key-slot' {
  /** Returns the slot of a key in a Redis Cluster, from 0 to 16,383. If the key has a hash tag, only the tag counts. */
  export default function keySlot(key: string): number;
}
