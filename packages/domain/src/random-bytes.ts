/** Gives `size` random bytes. */
export type RandomBytes = (size: number) => Uint8Array;
