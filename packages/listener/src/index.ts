export * from './listener.ts';
export { LISTENER_ERRORS, type ListenerError, REFUSED, type Refused } from './refusals.ts';
