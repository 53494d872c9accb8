export type { BrokerAddress, Connect, SaslCredentials } from './connection.ts';
export { KafkaError, type KafkaErrorCode } from './errors.ts';
export type { KafkaRecord } from './messages.ts';
export {
  createKafkaProducer,
  type KafkaProducer,
  type ProducerOptions,
  type SendOptions,
  type StoredRecord,
} from './producer.ts';
export type { SaslMechanism } from './sasl.ts';
