import type { components, operations, paths, selfServicePaths } from './generated.ts';

export type * from './generated.schemas.ts';

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

/** The default body of a webhook. */
export type DeliveryWebhook = operations['webhookDelivery']['requestBody']['content']['application/json'];

export type ChannelInput = BodyOf<'createChannel'>;
export type WebhookChannelInput = Extract<ChannelInput, { kind: 'webhook' }>;
export type EmailChannelInput = Extract<ChannelInput, { kind: 'email' }>;
export type MessageFilter = BodyOf<'createReplayBatch'>['filter'];
export type TemplateInput = BodyOf<'createTemplate'>;
export type TemplatePart = Schemas['Layout'] | Schemas['Partial'] | Schemas['Translation'];
export type ChangedTemplatePart =
  | Schemas['ChangedLayout']
  | Schemas['ChangedPartial']
  | Schemas['ChangedTranslation'];

export type ErrorCode = Schemas['Error']['error']['code'];
