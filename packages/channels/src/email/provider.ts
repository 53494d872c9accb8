import type { AttemptErrorCode, ChannelIssue, ChannelRule, JsonObject } from '@postrider/domain';
import type { SecretChange } from '../channel.ts';
import type { CommandIo, CommandOption, OptionValues } from '../command.ts';
import type { JsonSchema } from '../schema.ts';
import type { Delivery, SenderOptions, SendResult } from '../sender.ts';

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

/** One attempt to send a mail. */
export interface EmailToSend
  extends Pick<Delivery<unknown>, 'runId' | 'channel' | 'secrets' | 'timeoutMs' | 'signal'> {
  /** The provider's own part of the channel's config. */
  readonly settings: JsonObject;
  readonly message: EmailMessage;
}

/** Sends mails through one provider. */
export interface EmailSender {
  send(email: EmailToSend): Promise<SendResult>;
  /** Closes the connections that are kept open. */
  close(): void;
}

/** A way to send mail. `Settings` is its part of the stored config. */
export interface EmailProvider<Settings = JsonObject> {
  /** The field of an email channel's config that holds the settings; it also names the provider. */
  readonly name: string;
  /** Of the settings in a request. */
  readonly schema: JsonSchema;
  /** Rules on settings that fulfil the schema; paths begin at the settings. */
  readonly rules: readonly ChannelRule<Settings>[];
  /** The settings of a valid request as they are stored: without the secret and without what was left out. */
  toStored(settings: JsonObject): Settings;
  readonly presentedSchema: JsonSchema;
  /** With every default. */
  present(settings: Settings): JsonObject;
  /** The field of a request's settings that gives the secret. */
  readonly secretField: string;
  /** What is wrong with the secret that a change leaves; `before` is null when it had other settings. */
  secretIssues(
    before: { settings: Settings; hasSecret: boolean } | null,
    after: { settings: Settings; secret: SecretChange },
  ): ChannelIssue[];
  /** `error_code`s that no other provider of the kind has. */
  readonly errorCodes: readonly AttemptErrorCode[];
  /** Options of the command line, and the settings that they make; undefined when none was given. */
  readonly options: readonly CommandOption[];
  settingsOf(options: OptionValues, io: CommandIo): Promise<Record<string, unknown> | undefined>;
  /** Loads what sends. Called once, by processes that deliver. */
  loadSender(): Promise<{ createSender(options: SenderOptions): EmailSender }>;
}

/** Hides the type of a provider's settings: it is given only what it made itself. */
export function defineEmailProvider<Settings>(provider: EmailProvider<Settings>): EmailProvider {
  return provider as unknown as EmailProvider;
}
