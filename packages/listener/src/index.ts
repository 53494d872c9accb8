export { clientOf, createOriginLookup, type OriginLookup, type RequestOrigin } from './addresses.ts';
export { LISTENER_ERRORS, type ListenerError, REFUSED, type Refused } from './connection.ts';
export { type ConnectionLimits, type Listener, type ListenerOptions, listen } from './listener.ts';
