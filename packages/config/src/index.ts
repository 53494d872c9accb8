export * from './fields.ts';
export * from './oidc.ts';
export * from './read-environment.ts';
export * from './secrets.ts';
export * from './tracing.ts';
