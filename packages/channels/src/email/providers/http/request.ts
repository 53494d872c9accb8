import { onOneLine } from '@postrider/domain';
import type { ServiceApi, ServiceRequest } from '../../../http/service-client.ts';
import type { EmailMessage, EmailToSend } from '../../provider.ts';

/**
 * The message as MIME in ASCII, with the same headers, parts and `Message-ID` that an SMTP server gets, and its
 * recipients.
 */
export type ToMime = () => Promise<{ mime: Buffer; recipients: string[] }>;

/** The HTTP API of a provider. Its definition is loaded by processes that send nothing, so `toMime` is passed in. */
export interface ProviderApi
  extends Omit<ServiceApi<EmailToSend>, 'codes' | 'label' | 'recipientOf' | 'request'> {
  /** Builds the request of a mail whose headers are in ASCII. Null if the settings or credentials are incomplete. */
  request(email: EmailToSend, toMime: ToMime): ServiceRequest | null | Promise<ServiceRequest | null>;
}

/** Name of the metadata with the run's id, by which feedback finds the run. */
export const RUN_METADATA = 'postrider_run';

/**
 * An address with its display name as text. The name is always a quoted string, so that nothing in it is parsed as an
 * address (RFC 5322 section 3.2.4).
 */
export function addressText({ email, name }: EmailMessage['from']): string {
  const shown = onOneLine(name ?? '');
  return shown === '' ? email : `"${shown.replace(/["\\]/g, '\\$&')}" <${email}>`;
}

/**
 * The URL of an operation.
 * @param publicBase the provider's own address, without a slash at its end
 * @param path begins with a slash; its parts are encoded
 */
export function providerUrl(endpoint: unknown, publicBase: string, path: string): URL {
  const base = typeof endpoint === 'string' ? endpoint.replace(/\/+$/, '') : publicBase;
  return new URL(`${base}${path}`);
}

/** A request with JSON in its body. */
export const jsonRequest = (
  url: URL,
  body: string,
  headers: Readonly<Record<string, string>>,
): ServiceRequest => ({
  url,
  body,
  headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
});

/** The list, or undefined, which JSON leaves out, if it is empty. */
export const unlessEmpty = <Item>(list: readonly Item[]) => (list.length > 0 ? list : undefined);
