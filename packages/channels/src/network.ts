/** HTTP clients, and access to AWS. It loads network libraries: import it only when one is needed. */

export { createAwsAccess, fetchAwsCredentials } from './http/aws-access.ts';
export { createDocumentFetcher, createHttpClient } from './http/create-client.ts';
export type { HttpClient } from './http/exchange.ts';
