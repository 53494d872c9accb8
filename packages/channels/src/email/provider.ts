import type { AttemptOutcome, JsonObject } from '@postrider/domain';
import type { NamedCredential } from '../bound-credentials.ts';
import type { ConfigDefinition } from '../channel.ts';
import type { CreateCommand } from '../command.ts';
import type { Delivery, SenderOptions } from '../sender.ts';
import type { ReadFeedback } from './feedback.ts';

/** A file attached to a mail. */
export interface EmailAttachment {
  /** One line without a path. */
  readonly filename: string;
  /** `type/subtype`, possibly with parameters. */
  readonly contentType: string;
  readonly content: Buffer;
  /**
   * Content id: letters, digits, `.`, `_` and `-`. The HTML shows the file as `cid:<this>`. Without it, the file is
   * an attachment.
   */
  readonly cid?: string;
}

/** A mail in the form that every provider gets. Values are plain; the provider encodes them. */
export interface EmailMessage {
  /** `<run_…@domain>`, the same on every attempt. */
  readonly messageId: string;
  readonly from: { readonly email: string; readonly name: string | null };
  /** The recipient of the event. Its refusal fails the attempt. */
  readonly to: { readonly email: string; readonly name: string | null };
  /** Further recipients, as bare addresses. Addresses in `bcc` are in no header. */
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly replyTo: string | null;
  readonly subject: string;
  /** One of the two parts may be null. */
  readonly html: string | null;
  readonly text: string | null;
  /** Further headers, each on one line. Outside ASCII only those for which `isTextHeader` holds. */
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly EmailAttachment[];
}

/** One attempt to send a mail through one account of the channel. */
export interface EmailToSend
  extends Pick<
    Delivery<unknown>,
    'ids' | 'channel' | 'signal' | 'timeoutMs' | 'nowMs' | 'reportExchange' | 'bounceToken'
  > {
  /** The name of the account, unique in the channel. */
  readonly account: string;
  /** The account's stored settings. */
  readonly settings: JsonObject;
  /** The account's decrypted credentials, by the provider's field names. Credentials that are not set are left out. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly mail: EmailMessage;
}

/**
 * Sends mails through one provider. A result is `failed` only if the message was certainly not taken. It is about the
 * message only if the provider refuses this message or its recipient. If it is also not retryable, no other account is
 * tried.
 */
export interface ProviderClient {
  send(email: EmailToSend): Promise<AttemptOutcome>;
  /** Closes the connections that are kept open. */
  close(): void;
}

/** An email provider. `Settings` is its part of the stored config. */
export interface EmailProvider<Settings = JsonObject> {
  /** The provider's name, and the field of a config or an account that holds its settings. */
  readonly name: string;
  /** Its settings. Credentials are not part of their stored form. Paths of the rules start at the settings. */
  readonly config: Pick<
    ConfigDefinition<Settings>,
    'schema' | 'rules' | 'toStored' | 'presentedSchema' | 'present'
  >;
  /** Command-line options, and the settings that they make. */
  readonly command: Pick<CreateCommand, 'options' | 'fieldsOf'>;
  readonly credentials: readonly NamedCredential[];
  /** The setting that uses the installation's own access to the service instead of credentials, if there is one. */
  readonly keylessField?: string;
  /** Loads the client. Called once, in processes that deliver. */
  loadClient(): Promise<{ createClient(options: SenderOptions): ProviderClient }>;
  /** Reads the provider's feedback. Left out if the provider sends none. */
  readonly feedback?: ReadFeedback;
  /** The largest feedback request in bytes; 1 MiB by default. Small if the body is parsed before it is verified. */
  readonly maxFeedbackBytes?: number;
}

/** Hides the type of a provider's settings. This is safe because a provider only gets settings that it created. */
export function defineEmailProvider<Settings>(provider: EmailProvider<Settings>): EmailProvider {
  return provider as unknown as EmailProvider;
}
