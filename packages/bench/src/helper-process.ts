/** What a helper process can be asked for, by name: each takes one argument and may take its time. */
export type Handlers = Readonly<Record<string, (input: never) => Promise<unknown>>>;

/** One question to a helper process. */
export interface Question {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}

export type Answer =
  | { readonly id: number; readonly ok: true; readonly output: unknown }
  | { readonly id: number; readonly ok: false; readonly message: string };

async function answer(handlers: Handlers, { id, name, input }: Question): Promise<Answer> {
  try {
    const handler = handlers[name];
    if (!handler) throw new Error(`nothing is known of "${name}" here`);
    return { id, ok: true, output: await handler(input as never) };
  } catch (error) {
    return { id, ok: false, message: error instanceof Error ? String(error.stack) : String(error) };
  }
}

/**
 * This module is the entry of a helper process (see `startHelper`): it answers questions with the handlers of the
 * module that its argument names, and ends when the process that started it is gone, however that ended.
 */
const handlers = import(process.argv[2] ?? '').then((module) => module.handlers as Handlers);
process.on('message', (question: Question) => {
  void handlers.then((known) => answer(known, question)).then((given) => process.send?.(given));
});
process.on('disconnect', () => process.exit());
// Ctrl-C in a terminal goes to all; the starter decides the order of stopping.
process.on('SIGINT', () => undefined);
