import { type Listening, startHttpReceiver } from '@postrider/rig';

/** A webhook endpoint that answers as it is told. */
export interface Receiver extends Listening {
  /** Statuses of the next answers, in order; those after them are 204. */
  readonly answers: number[];
}

export async function startReceiver(): Promise<Receiver> {
  const answers: number[] = [];
  const receiver = await startHttpReceiver((_, response) => response.writeHead(answers.shift() ?? 204).end());
  return { ...receiver, answers };
}
