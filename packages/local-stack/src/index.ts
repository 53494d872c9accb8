export type { Output } from './output.ts';
export { type PostgresOptions, type PostgresServer, type Server, startPostgres } from './postgres/start.ts';
export { findRedis, type RedisBinary, redisCacheDirectory } from './redis/find.ts';
export { type RedisOptions, type RedisServer, startRedis } from './redis/start.ts';
export { type Exit, type Program, type ProgramOptions, startProgram } from './supervise.ts';
