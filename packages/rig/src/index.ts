export { amqpBroker } from './brokers/amqp.ts';
export {
  type Fault as KafkaFault,
  type KafkaCluster,
  type KafkaOptions,
  startKafkaCluster,
} from './brokers/kafka-cluster.ts';
export {
  type BrokerCase,
  type BrokerKind,
  brokerCases,
  brokerChannel,
  LATE_MS,
  MISBEHAVIOURS,
  type MisbehavingBroker,
  type Misbehaviour,
  startMisbehavingBroker,
  TLS_STEP,
} from './brokers/misbehaving.ts';
export { markdownTable, median, quantile } from './figures.ts';
export {
  type Answer,
  closeConnection,
  type Handle,
  hang,
  inTurn,
  type ReceivedRequest,
  type Receiver,
  startHttpReceiver,
  startReceiver,
  status,
} from './http-receiver.ts';
export { countUp, sideBySide } from './lanes.ts';
export {
  type ClientAnswer,
  type ClientCancel,
  type ClientExchange,
  type ClientLedger,
  type ClientReplay,
  type ClientRequest,
  createDriver,
  type Driver,
  EVENT_KEY,
  type EventToSend,
} from './load/client.ts';
export { type Load, type LoadOptions, startLoad } from './load/load.ts';
export { mixedTraffic } from './load/mixed-traffic.ts';
export { type Connections, openConnections, type Post, type PostAnswer } from './load/post.ts';
export { type Listening, listenOnLoopback } from './loopback.ts';
export { createRandom, type Random } from './random.ts';
export type { RecordedKey, RecordedRelease } from './recorded-release.ts';
export {
  type MailServer,
  type ReceivedMail,
  type ReceivedMessage,
  type SmtpReceiver,
  type SmtpStep,
  startMailServer,
  startSmtpReceiver,
} from './smtp-receiver.ts';
export { type NetworkFault, SLOW_MS, startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
export { monotonicMs, waitFor } from './time.ts';
