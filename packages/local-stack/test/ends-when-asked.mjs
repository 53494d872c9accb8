import { createServer } from 'node:http';

/** Answers every request, and ends after one for /end. */
createServer((request, response) => {
  response.once('close', () => request.url === '/end' && process.exit());
  response.end();
}).listen(Number(process.env.PORT), '127.0.0.1');
