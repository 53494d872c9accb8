/**
 * The second tenant's receiver, in its own process: in the attacker's, which is busy and has a low priority, its responses would be
 * seconds late. Started by `openTarget`. Sends its URL.
 */
import { randomBytes } from 'node:crypto';
import { startWebhookReceiver } from '@postrider/local-stack';

const receiver = await startWebhookReceiver({ secret: `whsec_${randomBytes(24).toString('base64')}` });
process.send?.(receiver.hookUrl);
process.on('disconnect', () => process.exit());
// Ctrl-C in a terminal reaches all processes; the parent decides when this one stops.
process.on('SIGINT', () => undefined);
