import type { Postrider } from '@postrider/client';
import type { Session } from './session.ts';

/** What commands do in one environment. */
type Environment = Pick<Postrider, 'messages' | 'stats' | 'stream'> & {
  readonly channels: Pick<Postrider['channels'], 'all' | 'create' | 'delete' | 'listen' | 'listenAnswer'>;
  readonly deliveryRuns: Pick<Postrider['deliveryRuns'], 'cancel' | 'content'>;
  readonly events: Pick<Postrider['events'], 'send'>;
  readonly eventTypes: Pick<Postrider['eventTypes'], 'get'>;
};

/** The environment with this id, with ADMIN_TOKEN; otherwise that of the token. */
export function environmentOf(session: Session, id: string | undefined): Environment {
  if (id === undefined) return session.postrider();
  const { channels, deliveryRuns, environments, events, eventTypes, messages } = session.admin();
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
