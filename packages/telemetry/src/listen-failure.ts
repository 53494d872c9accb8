/**
 * Ends the process with one line if a port cannot be used, such as one on which another process listens. For `catch` of what
 * starts a server at the start of a process.
 * @throws the error if it is another one
 */
export function exitIfCannotListen(error: NodeJS.ErrnoException & { readonly port?: number }): never {
  const { syscall, code, port } = error;
  if (syscall !== 'listen') throw error;
  const why = code === 'EADDRINUSE' ? 'another process listens on it' : `${code}`;
  process.stderr.write(`Port ${port} cannot be used (${why}): configure another one, or end what uses it.\n`);
  process.exit(1);
}
