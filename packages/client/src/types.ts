import type { components, operations, paths, selfServicePaths } from './generated.ts';

/** Names for the commonly used parts of the OpenAPI document. */
type Schemas = components['schemas'];

/** The JSON body that an operation takes. */
export type BodyOf<Operation extends keyof operations> = operations[Operation] extends {
  requestBody?: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;

/** The name of an operation in the OpenAPI document. */
export type OperationId = keyof operations;

/** The query parameters that an operation takes. */
export type QueryOf<Operation extends keyof operations> = operations[Operation] extends {
  parameters: { query?: infer Query };
}
  ? NonNullable<Query>
  : never;

/** A path of the management API as a token calls it: without the environment, which the token implies. */
export type OfToken<Path> = {
  [Method in keyof Path]: Path[Method] extends { parameters: { path: infer InPath } & infer Parameters }
    ? Omit<Path[Method], 'parameters'> & {
        parameters: Omit<Parameters, 'path'> &
          ([Exclude<keyof InPath, 'environmentId'>] extends [never]
            ? unknown
            : { path: Omit<InPath, 'environmentId'> });
      }
    : Path[Method];
};

export type Paths = paths & selfServicePaths;

export type EventInput = BodyOf<'createEvent'>;
export type ReplayInput = BodyOf<'replayMessage'>;
export type MessageQuery = Omit<QueryOf<'listMessages'>, 'fields'>;
export type DeliveriesQuery = QueryOf<'getMessageDeliveries'>;
export type MessageSearchQuery = Omit<QueryOf<'searchMessages'>, 'fields'>;

export type Accepted = Schemas['Accepted'];
export type Replayed = Schemas['Replayed'];
export type CancelledMessage = Schemas['CancelledMessage'];
export type RescheduledMessage = Schemas['RescheduledMessage'];
export type Attempt = Schemas['Attempt'];
export type Deliveries = Schemas['Deliveries'];
export type DeliveryRun = Schemas['DeliveryRun'];
export type DeliveryRunSummary = Schemas['DeliveryRunSummary'];
export type MessageRun = Schemas['MessageRun'];
export type RunFeedback = Schemas['RunFeedback'];
export type Limits = Schemas['Limits'];
export type Message = Schemas['Message'];
export type SentContent = Schemas['SentContent'];
export type Stats = Schemas['Stats'];
export type Usage = Schemas['Usage'];

/** The default body of a webhook. */
export type DeliveryWebhook = operations['webhookDelivery']['requestBody']['content']['application/json'];

export type AuditEntry = Schemas['AuditEntry'];
export type ChainedAuditEntry = Schemas['ChainedAuditEntry'];
export type ConfigurationDrift = Schemas['ConfigurationDrift'];
export type AuditCheck = Schemas['AuditCheck'];
export type ChangedTemplate = Schemas['ChangedTemplate'];
export type BlockedKey = Schemas['BlockedKey'];
export type ConfiguredChannel = Schemas['ConfiguredChannel'];
export type ChannelInput = BodyOf<'createChannel'>;
export type WebhookChannelInput = Extract<ChannelInput, { kind: 'webhook' }>;
export type EmailChannelInput = Extract<ChannelInput, { kind: 'email' }>;
export type Environment = Schemas['Environment'];
export type EventType = Schemas['EventType'];
export type EventTypeSummary = Schemas['EventTypeSummary'];
export type Operator = Schemas['Operator'];
export type OperatorToken = Schemas['OperatorToken'];
export type Plan = Schemas['Plan'];
export type MessageFilter = BodyOf<'createReplayBatch'>['filter'];
export type ReencryptedSecrets = Schemas['ReencryptedSecrets'];
export type ReplayBatch = Schemas['ReplayBatch'];
export type ReplayPreview = Schemas['ReplayPreview'];
export type Erasure = Schemas['Erasure'];
export type Role = Schemas['Role'];
export type ConsoleSession = Schemas['ConsoleSession'];
export type SecretKeys = Schemas['SecretKeys'];
export type TemplateInput = BodyOf<'createTemplate'>;
export type Template = Schemas['Template'];
export type TemplatePreview = Schemas['TemplatePreview'];
export type TemplateSummary = Schemas['TemplateSummary'];
export type TemplatePart = Schemas['Layout'] | Schemas['Partial'] | Schemas['Translation'];
export type ChangedTemplatePart =
  | Schemas['ChangedLayout']
  | Schemas['ChangedPartial']
  | Schemas['ChangedTranslation'];
export type Tenant = Schemas['Tenant'];
export type Token = Schemas['Token'];

export type ErrorCode = Schemas['Error']['error']['code'];
export type ErrorDetail = Schemas['ErrorDetail'];
