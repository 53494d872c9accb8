import type { AttemptErrorCode, ChannelIssue, ChannelRule, JsonObject } from '@postrider/domain';
import type { CommandIo, CommandOption, OptionValues } from '../command.ts';
import type { JsonSchema } from '../schema.ts';
import type { Delivery, SenderOptions, SendResult } from '../sender.ts';
import type { EmailFeedbackReader } from './feedback.ts';

/** A file that goes with a mail. */
export interface EmailAttachment {
  /** On one line, without a path. */
  readonly filename: string;
  /** `type/subtype`, without parameters. */
  readonly contentType: string;
  readonly content: Buffer;
  /** Letters, digits, `.`, `_` and `-`: the file is shown where the HTML has `cid:` and this. Left out: it is attached. */
  readonly cid?: string;
}

/** A mail as every provider sends it: plain values, which the provider encodes. */
export interface EmailMessage {
  /** `<run_…@domain>`, the same on every attempt. */
  readonly messageId: string;
  readonly from: { readonly email: string; readonly name: string | null };
  /** The recipient of the event, whose refusal is a failure. */
  readonly to: { readonly email: string; readonly name: string | null };
  /** Bare addresses that also get the mail. Those of `bcc` are in no header. */
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly replyTo: string | null;
  readonly subject: string;
  /** One of the two parts may be null. */
  readonly html: string | null;
  readonly text: string | null;
  /** Further headers: ASCII, each on one line. */
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly EmailAttachment[];
}

/** The `error_code`s of a message that is refused for good, by SMTP servers and by services. */
export const REJECTION_CODES: readonly AttemptErrorCode[] = [
  'smtp_permanent_rejection',
  'email_permanent_rejection',
];

/** One attempt to send a mail through one sender of the channel. */
export interface EmailToSend
  extends Pick<Delivery<unknown>, 'runId' | 'channel' | 'signal' | 'timeoutMs' | 'nowMs' | 'note'> {
  /** The name of the sender, unique in the channel. */
  readonly sender: string;
  /** The provider's own part of the sender, as it is stored. */
  readonly settings: JsonObject;
  /** The sender's own credentials, opened, by the names of the provider's fields; those that are not set are left out. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly message: EmailMessage;
}

/**
 * Sends mails through one provider. A result says `failed` only if the message was certainly not taken, and has one of
 * {@link REJECTION_CODES} only if the provider refuses this message or its recipient: no other sender is tried then.
 */
export interface EmailSender {
  send(email: EmailToSend): Promise<SendResult>;
  /** Closes the connections that are kept open. */
  close(): void;
}

/** A field of a provider's settings in requests that is stored apart, encrypted, and never shown. */
export interface EmailCredential {
  /** Where the settings have it: a field, or a field of an object in them, such as `dkim/private_key`. */
  readonly field: string;
  /** For people, with its indefinite article left out: `password`. */
  readonly label: string;
  /** `true`: the settings want it. The name of a setting: they want it together with that one, or neither. Left out: it may be missing. */
  readonly required?: true | string;
  /**
   * The settings that say where it is sent, such as `host`: a stored one is not kept when one of them changes. Empty for
   * one that is not sent.
   */
  readonly sentBy: readonly string[];
  /** What is wrong with a new one; paths begin at the settings. */
  issuesOf?(value: string, settings: JsonObject): readonly ChannelIssue[];
}

/** A way to send mail. `Settings` is its part of the stored config. */
export interface EmailProvider<Settings = JsonObject> {
  /** The field of a config, or of a sender in it, that holds the settings; it also names the provider. */
  readonly name: string;
  /** Of the settings in a request. */
  readonly schema: JsonSchema;
  /** Rules on settings that fulfil the schema; paths begin at the settings. */
  readonly rules: readonly ChannelRule<Settings>[];
  /** The settings of a valid request as they are stored: without the credentials and without what was left out. */
  toStored(settings: JsonObject): Settings;
  readonly presentedSchema: JsonSchema;
  /** With every default. */
  present(settings: Settings): JsonObject;
  readonly credentials: readonly EmailCredential[];
  /** `error_code`s that no other provider of the kind has. */
  readonly errorCodes: readonly AttemptErrorCode[];
  /** Options of the command line, and the settings that they make; undefined when none was given. */
  readonly options: readonly CommandOption[];
  settingsOf(options: OptionValues, io: CommandIo): Promise<Record<string, unknown> | undefined>;
  /** Loads what sends. Called once, by processes that deliver. */
  loadSender(): Promise<{ createSender(options: SenderOptions): EmailSender }>;
  /** Loads what reads the provider's feedback. Called when the first arrives; left out where the provider posts none. */
  loadFeedback?(): Promise<EmailFeedbackReader>;
}

/** Hides the type of a provider's settings: it is given only what it made itself. */
export function defineEmailProvider<Settings>(provider: EmailProvider<Settings>): EmailProvider {
  return provider as unknown as EmailProvider;
}
