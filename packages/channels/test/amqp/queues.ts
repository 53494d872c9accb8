import { connect, type GetMessage } from 'amqplib';

/** The queues of a broker on this machine, as its user `guest`. */
export interface Queues {
  create(name: string): Promise<unknown>;
  delete(name: string): Promise<unknown>;
  /** The next message; null if the queue is empty. */
  take(name: string): Promise<GetMessage | null>;
  close(): Promise<void>;
}

export async function openQueues(port: number): Promise<Queues> {
  const model = await connect(`amqp://guest:guest@127.0.0.1:${port}`);
  const channel = await model.createChannel();
  return {
    create: (name) => channel.assertQueue(name),
    delete: (name) => channel.deleteQueue(name),
    take: async (name) => (await channel.get(name, { noAck: true })) || null,
    close: () => model.close(),
  };
}
