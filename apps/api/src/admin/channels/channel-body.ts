import type { ChannelRecord, ChannelTarget } from '@postrider/db';
import { type EmailConfig, isJsonObject, type JsonObject, type PasswordChange } from '@postrider/domain';
import type { ChannelBody, EmailBody } from './schema.ts';

/** The config of a body as it is stored: without the password, and without what was left out. */
export function toEmailConfig({ smtp, from, reply_to, timeout_ms }: EmailBody['config']): EmailConfig {
  const { host, port, secure = false, username } = smtp;
  return {
    smtp: { host, port, secure, ...(username ? { username } : {}) },
    from: { email: from.email, ...(from.name ? { name: from.name } : {}) },
    ...(reply_to ? { reply_to } : {}),
    ...(timeout_ms === undefined ? {} : { timeout_ms }),
  };
}

/** Where the channel of a body leads. */
export function toTarget(body: ChannelBody): ChannelTarget {
  return body.kind === 'webhook'
    ? { kind: body.kind, config: body.config }
    : { kind: body.kind, config: toEmailConfig(body.config) };
}

/** The body that would create this channel, but for its secret. */
export function toChannelBody({ kind, name, enabled, eventKeys, config, retry }: ChannelRecord): JsonObject {
  return { kind, name, enabled, event_keys: [...eventKeys], config, retry };
}

/** What a body or patch says of the password: left out it stays, null removes it. */
export function passwordChangeOf({ config }: JsonObject): PasswordChange {
  const smtp = isJsonObject(config) ? config.smtp : undefined;
  const password = isJsonObject(smtp) ? smtp.password : undefined;
  if (typeof password === 'string') return { kind: 'replace', password };
  return { kind: password === null ? 'remove' : 'keep' };
}
