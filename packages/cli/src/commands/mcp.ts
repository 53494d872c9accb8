import { Readable, Writable } from 'node:stream';
import type { SessionCommand } from '../command.ts';
import type { Io } from '../io.ts';

/** The streams of a process, as the transport wants them. */
function streamsOf({ stdin, stdout }: Io): [Readable, Writable] {
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      stdout.write(chunk.toString('utf8'));
      done();
    },
  });
  return [Readable.from(stdin), output];
}

/** `postrider mcp`: tools for agents over stdin and stdout, until stdin ends or Ctrl-C. */
export function addMcp(program: SessionCommand): void {
  program
    .add('mcp', 'serve tools for agents on stdin and stdout (Model Context Protocol)')
    .option('--write', 'also offer tools that send or change something, if the token allows it')
    .examples({
      'claude mcp add postrider -- npx postrider mcp':
        'Let an agent find out what happened to a message, with POSTRIDER_URL and POSTRIDER_TOKEN of its environment.',
    })
    .runs(async (session, { write: canWrite = false }: { readonly write?: boolean }) => {
      const [input, output] = streamsOf(session.io);
      // Loaded here, because the other commands would start later with it.
      const { serveMcpOnStdio } = await import('@postrider/mcp');
      const streams = { input, output, signal: session.io.signal };
      const version = program.version() ?? '';
      await serveMcpOnStdio(streams, { postrider: session.postrider(), canWrite, version });
    });
}
