export * from './channel.ts';
export { CONNECTIONS_PER_CHANNEL } from './email/providers/smtp/transports.ts';
export { createEmailChannel } from './email/sender.ts';
export { createGotSender } from './http/got-sender.ts';
export type { CreateHttpSender } from './http/sender.ts';
export { createUndiciSender } from './http/undici-sender.ts';
export { createWebhookChannel } from './webhook/sender.ts';
