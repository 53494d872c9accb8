import { createBoundedLog, createLogger } from '@postrider/telemetry';
import { expect, it } from '@postrider/testing';
import { createLogErrors } from '../src/log-errors.ts';

it('logs once a minute why PostgreSQL cannot be used, whatever fails because of it', () => {
  const lines: string[] = [];
  const logger = createLogger({ service: 'worker', level: 'info', write: (line) => lines.push(line) });
  const logErrors = createLogErrors(createBoundedLog(logger, { perKeyPerMinute: 5 }), logger);
  const failWith = (code: string) => {
    for (const key of ['sweep', 'consumer', 'backlog']) {
      logErrors(key, `${key} failed`)(Object.assign(new Error('refused'), { code }));
    }
  };
  failWith('28P01');
  failWith('28P01');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      message: 'PostgreSQL cannot be used',
      postgres: 'login refused',
      failed: 'sweep failed',
    }),
  ]);
  failWith('42703');
  expect(lines).toHaveLength(4);
});
