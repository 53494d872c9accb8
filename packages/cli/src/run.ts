import { type ChannelRegistry, channelKinds } from '@postrider/channels';
import { CommanderError } from 'commander';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { explain, interruption } from './failure.ts';
import type { Io } from './io.ts';
import { json as jsonText, lines } from './output/text.ts';
import { createProgram } from './program.ts';
import { addressOf, type GlobalOptions } from './session.ts';

/** Commander also throws after it has printed the help or the version. */
function hasDone(error: unknown): boolean {
  return error instanceof CommanderError && error.exitCode === 0;
}

/**
 * Runs one command line (without the names of node and the script) and resolves with the exit code. Prints errors on
 * stderr, with --json as one JSON document.
 */
export async function run(
  args: readonly string[],
  io: Io,
  kinds: ChannelRegistry = channelKinds,
): Promise<ExitCode> {
  const program = createProgram(io, kinds);
  try {
    await program.parseAsync(args, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (hasDone(error)) return EXIT.done;
    const options = program.opts<GlobalOptions>();
    const { json } = options;
    const { aborted } = io.signal;
    const failure = aborted ? interruption(error) : explain(error, () => addressOf(io, options));
    if (failure === null && aborted) return EXIT.interrupted;
    if (failure === null) throw error;
    const { exitCode, message } = failure;
    if (json) io.stderr.write(`${jsonText({ error: failure.error }, 2)}\n`);
    else if (message !== null) io.stderr.write(`${lines(message)}\n`);
    return exitCode;
  }
}
