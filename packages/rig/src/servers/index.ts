export {
  type Binary,
  cacheDirectoryOf,
  type Found,
  fetchDebian,
  findOnPath,
  libraryDirectories,
  unpackDebian,
} from './fetch-debian.ts';
export { chooseFreePort } from './free-port.ts';
export { type ConsumedRecord, findKcat, type KafkaMock, startKafkaMock } from './kafka-mock.ts';
export { findPostfix, type Postfix, startPostfix } from './postfix.ts';
export {
  findPrometheus,
  type Prometheus,
  type PrometheusSample,
  promtoolOf,
  startPrometheus,
} from './prometheus.ts';
export { findRabbitMq, type RabbitMq, startRabbitMq } from './rabbitmq.ts';
export {
  describeFailure,
  type Exit,
  endingWith,
  FROM_SOURCES,
  type Output,
  type Program,
  type ProgramOptions,
  startProgram,
  waitUntilReady,
} from './supervise.ts';
export { startTlsFront, TLS_FRONT_CERTIFICATE, type TlsFront } from './tls-front.ts';
