import { serve } from '../processes/serve.ts';
import { createArrivals } from './arrivals.ts';
import { startHttpReceiver } from './http.ts';
import { startSmtpReceiver } from './smtp.ts';

const arrivals = createArrivals();
const addresses = Promise.all([startHttpReceiver(arrivals), startSmtpReceiver(arrivals)]);

const handlers = {
  async addresses(_: null) {
    const [hookUrl, smtpPort] = await addresses;
    return { hookUrl, smtpPort };
  },
  async expect(load: { firstReference: number; events: number }) {
    arrivals.expect(load);
  },
  count: async (_: null) => arrivals.count(),
  times: async (_: null) => arrivals.times(),
};

/** What the receivers' process can be asked for. */
export type Receivers = typeof handlers;

serve(handlers);
