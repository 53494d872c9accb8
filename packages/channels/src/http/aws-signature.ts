import aws4 from 'aws4';

interface AwsRequest {
  readonly service: string;
  readonly region: string;
  /** Without a query. */
  readonly url: URL;
  /** Further headers that are signed, besides `host` and `x-amz-date`; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Wall clock in milliseconds: AWS refuses a signature that is 5 minutes off. */
  readonly nowMs: number;
}

/** `20150830T123600Z`, as Signature Version 4 writes times. */
const amzDate = (ms: number) => new Date(ms).toISOString().replace(/[:-]|\.\d{3}/g, '');

/** An access key. A temporary one has a session token. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** The headers of a POST with its Signature Version 4, without `host`. */
export function signedForAws(
  { service, region, url, headers: given, body, nowMs }: AwsRequest,
  { accessKeyId, secretAccessKey, sessionToken }: AwsCredentials,
): Record<string, string> {
  const date = amzDate(nowMs);
  const headers = {
    ...given,
    ...(sessionToken === undefined ? {} : { 'x-amz-security-token': sessionToken }),
  };
  const signed = aws4.sign(
    {
      service,
      region,
      method: 'POST',
      path: url.pathname,
      body,
      headers: { ...headers, Host: url.host, 'X-Amz-Date': date },
    },
    { accessKeyId, secretAccessKey },
  );
  return { ...headers, 'x-amz-date': date, authorization: String(signed.headers?.Authorization) };
}
