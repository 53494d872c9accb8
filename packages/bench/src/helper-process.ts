/** The questions that a helper process answers, by name: asynchronous functions of one argument. */
export type Handlers = Readonly<Record<string, (input: never) => Promise<unknown>>>;

/** One question to a helper process. */
interface Question {
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
 * The entry of a helper process (see `startHelper`). It answers questions with the handlers of the module that its
 * argument names, and ends with the process that started it, even if that is killed.
 */
const handlers = import(process.argv[2] ?? '').then((module) => module.handlers as Handlers);
process.on('message', (question: Question) => {
  void handlers.then((known) => answer(known, question)).then((given) => process.send?.(given));
});
process.on('disconnect', () => process.exit());
// Ctrl-C reaches every process of the terminal; the process that started this one decides the order of stopping.
process.on('SIGINT', () => undefined);
