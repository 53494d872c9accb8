export { LISTENER_ERRORS, type ListenerError, REFUSED, type Refused } from './connection.ts';
export * from './listener.ts';
