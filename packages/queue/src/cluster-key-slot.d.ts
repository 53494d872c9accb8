/** The package has no types of its own. */
declare module 'cluster-key-slot' {
  /** The slot of a key in a Redis Cluster, from 0 to 16,383: of its hash tag, if it has one. */
  export default function keySlot(key: string): number;
}
