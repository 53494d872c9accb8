import { connect } from 'node:net';
import { describe, expect, it } from '@postrider/testing';
import {
  closeConnection,
  inTurn,
  markdownTable,
  quantile,
  startReceiver,
  status,
  waitFor,
} from '../src/index.ts';

describe('a wait', () => {
  it('ends with the first value that is not null, undefined or false', async () => {
    const answers = [null, undefined, false, 0];
    expect(await waitFor<number>('a number', () => answers.shift() as number, { pollMs: 1 })).toBe(0);
  });

  it('treats an error as false, and reports it as the cause of a timeout', async () => {
    const cause = new Error('refused');
    const waiting = waitFor('an answer', () => Promise.reject(cause), { timeoutMs: 20, pollMs: 1 });
    await expect(waiting).rejects.toMatchObject({ message: 'waited 20 ms for an answer', cause });
  });
});

describe('a receiver', () => {
  it('answers in order, records requests by endpoint, and answers 404 elsewhere', async () => {
    const receiver = await startReceiver();
    const url = receiver.endpoint('/hook', inTurn(status(500), closeConnection, status(200)));
    const post = (to: string) =>
      fetch(to, { method: 'POST', body: 'é' }).then(
        (response) => response.status,
        () => 'cut',
      );
    expect([await post(url), await post(url), await post(url)]).toEqual([500, 'cut', 200]);
    expect(receiver.received('/hook').map(({ body }) => body)).toEqual(['é', 'é', 'é']);
    expect(await post(`${receiver.url}/elsewhere`)).toBe(404);
    await receiver.close();
  });

  it('does not record an aborted request', async () => {
    const receiver = await startReceiver();
    receiver.endpoint('/hook', status(200));
    const socket = connect(receiver.port, '127.0.0.1');
    socket.end('POST /hook HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nhalf');
    await new Promise((resolve) => socket.resume().once('close', resolve));
    expect(receiver.received('/hook')).toEqual([]);
    await receiver.close();
  });
});

describe('figures', () => {
  it('have the largest value at part 1, and 0 without values', () => {
    expect([quantile([3, 1, 2], 0.5), quantile([3, 1, 2], 1), quantile([], 0.5)]).toEqual([2, 3, 0]);
  });

  it('are shown as a Markdown table', () => {
    expect(markdownTable(['a', 'b'], [['1', '2']])).toBe('| a | b |\n| --- | --- |\n| 1 | 2 |');
  });
});
