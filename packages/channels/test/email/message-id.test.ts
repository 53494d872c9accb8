import { describe, expect, it } from '@postrider/testing';
import { emailMessageId } from '../../src/email/message.ts';

describe('the Message-ID', () => {
  it('consists of the run and the domain of the sender', () => {
    expect(emailMessageId('run_01h455vb4pex5vsknk084sn02q', 'Shop@Mail.Example.com')).toBe(
      '<run_01h455vb4pex5vsknk084sn02q@mail.example.com>',
    );
  });

  it.each([
    ['run_1', 'no-address'],
    ['run_1', 'shop@'],
    ['run_1', 'shop@example.com>\r\nX: y'],
    ['msg_1', 'shop@example.com'],
    ['run_1>\r\n', 'shop@example.com'],
  ])('cannot be created from %j and %j', (runId, from) => {
    expect(() => emailMessageId(runId, from)).toThrow(TypeError);
  });
});
