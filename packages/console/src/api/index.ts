/** What screens use of the service. The first load of the page imports the modules themselves, which are less. */
export * from './access.ts';
export * from './connection.ts';
export * from './contract.ts';
export * from './environment.ts';
export * from './figures.ts';
export * from './keys.ts';
export * from './path.ts';
export * from './scope.ts';
export * from './session.ts';
export * from './stream.ts';
