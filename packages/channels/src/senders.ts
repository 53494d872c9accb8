/** Shared by the senders of several kinds. Only processes that deliver import this, because it loads HTTP clients. */

export { AddressError } from './connection-errors.ts';
export { createVettedResolver, type ResolveHost, toSocketLookup } from './host.ts';
export { createAwsAccess, fetchAwsCredentials } from './http/aws-access.ts';
export type { Answer, Broken, Exchange, HttpClient } from './http/client.ts';
export { createDocumentFetcher, createHttpClient } from './http/create-client.ts';
export { MAX_RESPONSE_BYTES, toExcerpt } from './sender.ts';
