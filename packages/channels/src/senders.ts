/** Shared by the senders of several kinds. Only processes that deliver import this, because it loads HTTP clients. */
export { MAX_RESPONSE_BYTES, toExcerpt } from './excerpt.ts';
export { createHttpSender } from './http/create-sender.ts';
export { createDocumentFetcher } from './http/fetch-document.ts';
export type { Answer, BrokenExchange, Exchange, HttpSender } from './http/sender.ts';
export { AddressError, createVettedResolver, type ResolveHost, toSocketLookup } from './vetted-address.ts';
