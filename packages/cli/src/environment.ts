import type { Postrider, PostriderAdmin } from '@postrider/client';

/** What commands do in one environment. */
export type Environment = Pick<Postrider, 'messages' | 'stats' | 'stream'> & {
  readonly channels: Pick<Postrider['channels'], 'all' | 'create' | 'delete' | 'listen' | 'listenAnswer'>;
  readonly deliveryRuns: Pick<Postrider['deliveryRuns'], 'cancel' | 'content'>;
  readonly events: Pick<Postrider['events'], 'send'>;
  readonly eventTypes: Pick<Postrider['eventTypes'], 'get'>;
};

/** An environment, as an operator works in it. */
export function managedEnvironment(admin: PostriderAdmin, id: string): Environment {
  const { channels, deliveryRuns, environments, events, eventTypes, messages } = admin;
  return {
    channels: {
      ...channels,
      all: channels.of(id).all,
      create: (body, call) => channels.create(id, body, call),
    },
    deliveryRuns: deliveryRuns.of(id),
    events: events.of(id),
    eventTypes: { get: (eventKey, call) => eventTypes.get(id, eventKey, call) },
    messages: messages.of(id),
    stats: (query, call) => environments.stats(id, query, call),
    stream: (options) => environments.stream(id, options),
  };
}
