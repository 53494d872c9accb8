/** A refusal in the form of the library's errors. */
export interface EarlyRefusal {
  readonly code: 'EENVELOPE';
  readonly command: 'MAIL FROM' | 'RCPT TO';
  readonly responseCode: number;
  readonly response: string;
  /** Of `RCPT TO`. */
  readonly recipient?: string;
}

interface Exchange {
  /** Commands without a reply, from `MAIL FROM` on. */
  readonly waiting: string[];
  readonly refusals: EarlyRefusal[];
}

const ENVELOPE_COMMAND = /^(MAIL FROM|RCPT TO):<(.*?)>/;

function refusalBy(command: string, response: string): EarlyRefusal | null {
  const [, name, address] = ENVELOPE_COMMAND.exec(command) ?? [];
  if (name === undefined || !/^[45]\d\d/.test(response)) return null;
  return {
    code: 'EENVELOPE',
    command: name as EarlyRefusal['command'],
    responseCode: Number(response.slice(0, 3)),
    response,
    ...(name === 'RCPT TO' ? { recipient: address ?? '' } : {}),
  };
}

/**
 * Remembers what a server refused before it ended the connection, as Exim does with `drop`. The library sends `MAIL FROM`,
 * `RCPT TO` and `DATA` together (RFC 2920) and decides at the reply to `DATA`. If the connection ends before, its error
 * says only that. The log of the library has the replies.
 * @param maxConnections connections of the transport; an exchange that ends without an error is dropped after as many others
 */
export function createEarlyRefusals(maxConnections: number) {
  const exchanges = new Map<string, Exchange>();
  const byError = new WeakMap<object, readonly EarlyRefusal[]>();

  function onCommand(connection: string, command: string) {
    if (command.startsWith('MAIL FROM:')) {
      exchanges.delete(connection);
      const [oldest] = exchanges.keys();
      if (oldest !== undefined && exchanges.size >= maxConnections) exchanges.delete(oldest);
      exchanges.set(connection, { waiting: [], refusals: [] });
    }
    exchanges.get(connection)?.waiting.push(command);
  }
  function onReply(connection: string, reply: string) {
    const exchange = exchanges.get(connection);
    const command = exchange?.waiting.shift();
    if (!exchange || command === undefined) return;
    const refusal = refusalBy(command, reply);
    if (refusal) exchange.refusals.push(refusal);
    // From here on, the library's own error has the refusals.
    if (command === 'DATA') exchanges.delete(connection);
  }

  return {
    /** The logger that the library calls, whatever the level, with `transactionLog`. */
    logger: {
      info(entry: { tnx?: string; sid?: string; err?: object }, text: string) {
        const { tnx, sid, err } = entry;
        // Of the pool, which reports the error of a connection again.
        if (sid === undefined) return;
        const exchange = exchanges.get(sid);
        if (err && exchange) {
          byError.set(err, exchange.refusals);
          exchanges.delete(sid);
        } else if (tnx === 'client') onCommand(sid, text);
        else if (tnx === 'server') onReply(sid, text);
      },
    },
    /** What the server had refused when this error ended its connection. */
    of: (error: unknown): readonly EarlyRefusal[] => byError.get(error as object) ?? [],
  };
}
