/** A refusal in the form of the library's errors. */
export interface EarlyRefusal {
  readonly code: 'EENVELOPE';
  readonly command: 'MAIL FROM' | 'RCPT TO';
  readonly responseCode: number;
  readonly response: string;
  /** Of `RCPT TO`. */
  readonly recipient?: string;
}

interface SmtpDialogue {
  /** Commands without a reply, from `MAIL FROM` on. */
  readonly waiting: string[];
  readonly refusals: EarlyRefusal[];
}

/**
 * The most of one refusal that is read. A server may refuse each of 51 recipients with 16 KiB, and hiding a long token in as
 * much takes time.
 */
export const MAX_REFUSAL_CHARACTERS = 4_000;

const ENVELOPE_COMMAND = /^(MAIL FROM|RCPT TO):<(.*?)>/;

function refusalBy(command: string, reply: string): EarlyRefusal | null {
  const [, name, address] = ENVELOPE_COMMAND.exec(command) ?? [];
  if (name === undefined || !/^[45]\d\d/.test(reply)) return null;
  return {
    code: 'EENVELOPE',
    command: name as EarlyRefusal['command'],
    responseCode: Number(reply.slice(0, 3)),
    // A copy, because a slice keeps the whole reply in memory.
    response: Buffer.from(reply.slice(0, MAX_REFUSAL_CHARACTERS)).toString(),
    ...(name === 'RCPT TO' ? { recipient: address ?? '' } : {}),
  };
}

/**
 * Remembers what a server refused before it ended the connection, as Exim does with `drop`. The library sends `MAIL FROM`,
 * `RCPT TO` and `DATA` together (RFC 2920) and decides at the reply to `DATA`. If the connection ends before, its error
 * says only that. The log of the library has the replies. A dialogue is forgotten at the reply to `DATA`, at any later command,
 * and when its connection closes.
 */
export function createEarlyRefusals() {
  const dialogues = new Map<string, SmtpDialogue>();
  const byError = new WeakMap<object, readonly EarlyRefusal[]>();

  function onCommand(connection: string, command: string) {
    if (command.startsWith('MAIL FROM:')) dialogues.set(connection, { waiting: [], refusals: [] });
    // Without pipelining (RFC 2920) the library has read all replies before it sends RSET or QUIT.
    else if (command !== 'DATA' && !command.startsWith('RCPT TO:')) dialogues.delete(connection);
    dialogues.get(connection)?.waiting.push(command);
  }
  function onReply(connection: string, reply: string) {
    const dialogue = dialogues.get(connection);
    const command = dialogue?.waiting.shift();
    if (!dialogue || command === undefined) return;
    const refusal = refusalBy(command, reply);
    if (refusal) dialogue.refusals.push(refusal);
    // From here on, the library's own error has the refusals.
    if (command === 'DATA') dialogues.delete(connection);
  }

  return {
    /** The logger that the library calls, whatever the level, with `transactionLog`. */
    logger: {
      info(entry: { tnx?: string; sid?: string; err?: object }, text: string) {
        const { tnx, sid, err } = entry;
        // The pool reports the same error again, without `sid`.
        if (sid === undefined) return;
        if (tnx === 'client') return onCommand(sid, text);
        if (tnx === 'server') return onReply(sid, text);
        const dialogue = dialogues.get(sid);
        if (!dialogue) return;
        if (err) byError.set(err, dialogue.refusals);
        // During a dialogue only the end of the connection is logged, and then its error in the same tick.
        queueMicrotask(() => dialogues.delete(sid));
      },
    },
    /** What the server had refused when this error ended its connection. */
    of: (error: unknown): readonly EarlyRefusal[] => byError.get(error as object) ?? [],
  };
}
