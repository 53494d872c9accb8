import { isBareEmailAddress, isJsonObject, type JsonObject, type JsonValue } from '@postrider/domain';

/** The config of an email channel: docs/specification.md, "Channels". */
export interface EmailConfig {
  readonly smtp: {
    readonly host: string;
    readonly port: number;
    /** TLS from the first byte; otherwise STARTTLS where the server offers it. */
    readonly secure: boolean;
    readonly username: string | null;
  };
  readonly from: { readonly email: string; readonly name: string | null };
  readonly replyTo: string | null;
}

const textOrNull = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' ? value : null;
const addressOrNull = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' && isBareEmailAddress(value) ? value : null;

/** Reads what the database holds; null when it is not the config of an email channel. */
export function readEmailConfig(config: JsonObject): EmailConfig | null {
  const { smtp, from, reply_to: replyTo } = config;
  if (!isJsonObject(smtp) || !isJsonObject(from)) return null;
  const email = addressOrNull(from.email);
  const { host, port } = smtp;
  if (email === null || typeof host !== 'string' || typeof port !== 'number') return null;
  return {
    smtp: { host, port, secure: smtp.secure === true, username: textOrNull(smtp.username) },
    from: { email, name: textOrNull(from.name) },
    replyTo: addressOrNull(replyTo),
  };
}
