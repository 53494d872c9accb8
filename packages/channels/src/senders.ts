/** Shared by the senders of several kinds. Only processes that deliver import this, because it loads HTTP clients. */

export { AddressError } from './connection-errors.ts';
export { createDocumentFetcher, createHttpSender } from './http/create-sender.ts';
export type { Answer, BrokenExchange, Exchange, HttpSender } from './http/sender.ts';
export { MAX_RESPONSE_BYTES, toExcerpt } from './sender.ts';
export { createVettedResolver, type ResolveHost, toSocketLookup } from './vetted-address.ts';
