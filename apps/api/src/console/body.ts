import type { IncomingMessage } from 'node:http';
import { reject } from '@postrider/domain';
import {
  admitRequest,
  type ByteLimit,
  type RequestToAdmit,
  readBody,
  readJsonBody,
} from '../http/admission.ts';
import { validBody } from '../openapi/request.ts';
import type { ValidateBody } from '../validation/body.ts';

/** More than any token, link or code needs. */
const MAX_BODY_BYTES = 4 * 1024;

/**
 * Reads the JSON of a request to sign in.
 * @throws RefusedError
 */
export const receiveJson = async <Body>(http: IncomingMessage, validate: ValidateBody<Body>): Promise<Body> =>
  validBody(await readJsonBody(http, 'required', MAX_BODY_BYTES), validate);

/** {@link receiveJson} of a caller that has not signed in: first reserves its bytes for `owner`, until the response is sent. */
export async function admitJson<Body>(
  bytesInFlight: ByteLimit,
  { owner, ...request }: Pick<RequestToAdmit, 'http' | 'res'> & { readonly owner: string },
  validate: ValidateBody<Body>,
): Promise<Body> {
  const holder = { owner };
  await admitRequest(bytesInFlight, { ...request, holder, use: 'required', limit: MAX_BODY_BYTES });
  return receiveJson(request.http, validate);
}

/**
 * Reads the fields of an HTML form, as OAuth 2.0 sends them.
 * @throws RefusedError
 */
export async function receiveForm(
  http: IncomingMessage,
  maxBytes: number = MAX_BODY_BYTES,
): Promise<URLSearchParams> {
  const bytes = (await readBody(http, maxBytes)) ?? reject('payload_too_large');
  return new URLSearchParams(Buffer.from(bytes).toString('utf8'));
}
