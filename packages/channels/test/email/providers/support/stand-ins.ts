import type { JsonObject } from '@postrider/domain';
import { type Answer, type ReceivedRequest, type Receiver, startReceiver } from '@postrider/rig';
import { simpleParser } from 'mailparser';
import { AWS, isSignedForAws } from '../../../support/aws.ts';

/** A mail as a service understood it. */
interface TakenMail {
  readonly from: string;
  readonly recipients: readonly string[];
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
  readonly run: string;
  /** Null where the service gives every message an id of its own. */
  readonly messageId: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly {
    readonly filename: string;
    readonly contentType: string;
    readonly content: string;
    readonly cid?: string;
  }[];
}

/** A service, as its public documentation describes it: it refuses what that says it refuses. */
interface Service {
  readonly path: string;
  readonly settings: JsonObject;
  readonly credentials: Readonly<Record<string, string>>;
  /** What stands for the public id of a message that was taken. */
  readonly messageId: string;
  /** Null for a request that is authentic and complete; an answer for any other one. */
  check(request: ReceivedRequest): Promise<readonly [status: number, body: unknown] | null>;
  read(request: ReceivedRequest): Promise<TakenMail>;
  readonly success: readonly [status: number, headers: Record<string, string>, body: unknown];
}

// biome-ignore lint/suspicious/noExplicitAny: a body of any shape, of which a stand-in reads what is documented.
type Json = Record<string, any>;
const bodyOf = ({ body }: ReceivedRequest): Json => JSON.parse(body);
const listOf = (value: string[] | undefined): string[] => value ?? [];
const decoded = (content: string) => Buffer.from(content, 'base64').toString();
/** The address in `"Name" <address>`. */
const bare = (text: string) => /<([^<>]+)>$/.exec(text)?.[1] ?? text;

/** A parsed `Content-Type` as text, without the name that repeats the file's. */
function typeText(parsed: unknown): string {
  const { value, params } = parsed as { value: string; params: Record<string, string> };
  const others = Object.entries(params).filter(([name]) => name !== 'name');
  return [value, ...others.map(([name, text]) => `${name}=${text}`)].join('; ');
}

async function readMime(mime: string, recipients: string[], run: string): Promise<TakenMail> {
  const mail = await simpleParser(mime, { skipImageLinks: true });
  return {
    from: mail.from?.value[0]?.address ?? '',
    recipients,
    subject: mail.subject ?? '',
    html: mail.html || null,
    text: mail.text ?? null,
    run,
    messageId: mail.messageId ?? null,
    headers: Object.fromEntries(
      mail.headerLines.map(({ key, line }) => [key, line.slice(line.indexOf(':') + 1).trim()]),
    ),
    attachments: mail.attachments.map(({ filename = '', headers, content, cid }) => ({
      filename,
      contentType: typeText(headers.get('content-type')),
      content: content.toString(),
      ...(cid ? { cid } : {}),
    })),
  };
}

const lowerCased = (headers: Json): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));

/** Stand-ins for the services, by provider. */
export const SERVICES: Readonly<Record<string, Service>> = {
  ses: {
    path: '/v2/email/outbound-emails',
    settings: { region: AWS.region, access_key_id: AWS.accessKeyId, configuration_set: 'events' },
    credentials: { secret_access_key: AWS.secretAccessKey },
    messageId: '0100018c0a1b2c3d-1a2b3c4d-0000-4000-8000-123456789abc-000000',
    async check(request) {
      if (!(await isSignedForAws(request, 'ses'))) {
        return [403, { message: 'The request signature we calculated does not match.' }];
      }
      const { Content, Destination, ConfigurationSetName } = bodyOf(request);
      const isComplete =
        Content.Raw.Data && Destination.ToAddresses.length > 0 && ConfigurationSetName === 'events';
      return isComplete ? null : [400, { message: 'Bad request' }];
    },
    async read(request) {
      const { Content, Destination, EmailTags } = bodyOf(request);
      const mail = await readMime(decoded(Content.Raw.Data), Destination.ToAddresses, EmailTags[0].Value);
      if (EmailTags[0].Name !== 'postrider_run') throw new Error('the tag has another name');
      // Replaced by the service.
      return { ...mail, messageId: null };
    },
    success: [200, {}, { MessageId: '0100018c0a1b2c3d-1a2b3c4d-0000-4000-8000-123456789abc-000000' }],
  },
  sendgrid: {
    path: '/v3/mail/send',
    settings: {},
    credentials: { api_key: 'SG.a-key' },
    messageId: '14c5d75ce93.dfd.64b469',
    async check(request) {
      const message = 'The provided authorization grant is invalid, expired, or revoked';
      if (request.headers.authorization !== 'Bearer SG.a-key') {
        return [401, { errors: [{ message, field: null, help: null }] }];
      }
      const { personalizations, content, subject, attachments = [] } = bodyOf(request);
      if (attachments.some(({ type }: Json) => !/^[^;]+(?:; *method=\w+)?$/.test(type))) {
        const refusal = "The attachment type cannot contain ';', or CRLF characters.";
        return [400, { errors: [{ message: refusal, field: 'attachments.0.type', help: null }] }];
      }
      const isComplete = personalizations.length === 1 && content.length > 0 && subject;
      return isComplete && content[0].type === 'text/plain'
        ? null
        : [400, { errors: [{ field: 'content' }] }];
    },
    async read(request) {
      const { personalizations, from, subject, content, headers, attachments = [] } = bodyOf(request);
      const [{ to, cc = [], bcc = [], custom_args }] = personalizations;
      const partOf = (type: string) => content.find((part: Json) => part.type === type)?.value ?? null;
      return {
        from: from.email,
        recipients: [...to, ...cc, ...bcc].map(({ email }) => email),
        subject,
        html: partOf('text/html'),
        text: partOf('text/plain'),
        run: custom_args.postrider_run,
        messageId: headers['Message-ID'],
        headers: lowerCased(headers),
        attachments: attachments.map(({ filename, type, content: bytes, content_id, disposition }: Json) => ({
          filename,
          contentType: type,
          content: decoded(bytes),
          ...(disposition === 'inline' ? { cid: content_id } : {}),
        })),
      };
    },
    success: [202, { 'x-message-id': '14c5d75ce93.dfd.64b469' }, ''],
  },
  postmark: {
    path: '/email',
    settings: {},
    credentials: { server_token: 'a-server-token' },
    messageId: '0a129aee-e1cd-480d-b08d-4f48548ff48d',
    async check(request) {
      if (request.headers['x-postmark-server-token'] !== 'a-server-token') {
        return [401, { ErrorCode: 10, Message: 'The Server Token you provided is not valid.' }];
      }
      const { From, To, MessageStream, Metadata } = bodyOf(request);
      const isComplete =
        From && To && MessageStream === 'outbound' && Object.keys(Metadata).every((key) => key.length <= 20);
      return isComplete ? null : [422, { ErrorCode: 300, Message: 'Invalid email request' }];
    },
    async read(request) {
      const {
        From,
        To,
        Cc,
        Bcc,
        Subject,
        HtmlBody,
        TextBody,
        Metadata,
        Headers,
        Attachments = [],
      } = bodyOf(request);
      const headers = Object.fromEntries(Headers.map(({ Name, Value }: Json) => [Name, Value]));
      const isKept = headers['X-PM-KeepID'] === 'true';
      return {
        from: bare(From),
        recipients: [bare(To), ...listOf(Cc?.split(', ')), ...listOf(Bcc?.split(', '))],
        subject: Subject,
        html: HtmlBody ?? null,
        text: TextBody ?? null,
        run: Metadata.postrider_run,
        messageId: isKept ? headers['Message-ID'] : null,
        headers: lowerCased(headers),
        attachments: Attachments.map(({ Name, ContentType, Content, ContentID }: Json) => ({
          filename: Name,
          contentType: ContentType,
          content: decoded(Content),
          ...(ContentID ? { cid: ContentID.replace(/^cid:/, '') } : {}),
        })),
      };
    },
    success: [
      200,
      {},
      {
        To: 'ada@example.com',
        SubmittedAt: '2014-02-17T07:25:01.4178645-05:00',
        MessageID: '0a129aee-e1cd-480d-b08d-4f48548ff48d',
        ErrorCode: 0,
        Message: 'OK',
      },
    ],
  },
  mailgun: {
    path: '/v3/mg.example.com/messages.mime',
    settings: { domain: 'mg.example.com' },
    credentials: { api_key: 'key-3ax6xnjp29jd6fds4gc373sgvjxteol0' },
    messageId: '<20111114174239.25659.5817@samples.mailgun.org>',
    async check(request) {
      const expected = `Basic ${Buffer.from('api:key-3ax6xnjp29jd6fds4gc373sgvjxteol0').toString('base64')}`;
      if (request.headers.authorization !== expected) return [401, 'Forbidden'];
      const form = await formOf(request);
      if (!form.has('to')) return [400, { message: 'to parameter is missing' }];
      return form.get('message') instanceof Blob
        ? null
        : [400, { message: "'message' parameter is not a file" }];
    },
    async read(request) {
      const form = await formOf(request);
      const mime = await (form.get('message') as unknown as Blob).text();
      return readMime(mime, form.getAll('to') as string[], String(form.get('v:postrider_run')));
    },
    success: [
      200,
      {},
      { message: 'Queued. Thank you.', id: '<20111114174239.25659.5817@samples.mailgun.org>' },
    ],
  },
  resend: {
    path: '/emails',
    settings: {},
    credentials: { api_key: 're_c1tpEyD8_NKFusih9vKVQknRAQfmFcWCv' },
    messageId: '49a3999c-0ce1-4ea6-ab68-afcd6dc2e794',
    async check(request) {
      const { authorization, 'user-agent': agent, 'idempotency-key': key } = request.headers;
      if (authorization !== 'Bearer re_c1tpEyD8_NKFusih9vKVQknRAQfmFcWCv') {
        return [403, { statusCode: 403, name: 'invalid_api_key', message: 'API key is invalid' }];
      }
      const { tags } = bodyOf(request);
      const isPlain = tags.every(
        ({ name, value }: Json) => /^[\w-]{1,256}$/.test(name) && /^[\w-]{1,256}$/.test(value),
      );
      const isComplete = isPlain && agent && typeof key === 'string' && key.length <= 256;
      return isComplete ? null : [422, { statusCode: 422, name: 'validation_error', message: 'Invalid' }];
    },
    async read(request) {
      const { from, to, cc, bcc, subject, html, text, tags, headers, attachments = [] } = bodyOf(request);
      return {
        from: bare(from),
        recipients: [...to.map(bare), ...listOf(cc), ...listOf(bcc)],
        subject,
        html: html ?? null,
        text: text ?? null,
        run: tags.find(({ name }: Json) => name === 'postrider_run').value,
        messageId: null,
        headers: lowerCased(headers),
        attachments: attachments.map(({ filename, content_type, content, content_id }: Json) => ({
          filename,
          contentType: content_type,
          content: decoded(content),
          ...(content_id ? { cid: content_id } : {}),
        })),
      };
    },
    success: [200, {}, { id: '49a3999c-0ce1-4ea6-ab68-afcd6dc2e794' }],
  },
};

const formOf = ({ headers, body }: ReceivedRequest) =>
  new Response(body, { headers: { 'content-type': String(headers['content-type']) } }).formData();

const write =
  (code: number, headers: Record<string, string>, body: unknown): Answer =>
  (response) => {
    const isText = typeof body === 'string';
    response
      .writeHead(code, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers })
      .end(isText ? body : JSON.stringify(body));
  };

export interface StandIn {
  /** What the setting `endpoint` names. */
  readonly url: string;
  readonly service: Service;
  readonly requests: readonly ReceivedRequest[];
  /** What the service took, in order. */
  readonly mails: readonly TakenMail[];
  /** Answers the next requests so, whatever they are; null: as documented. */
  answer(answer: Answer | null): void;
  close(): Promise<void>;
}

/** Starts a service on 127.0.0.1. */
export async function startStandIn(provider: string): Promise<StandIn> {
  const service = SERVICES[provider];
  if (!service) throw new Error(`there is no stand-in for ${provider}`);
  const receiver: Receiver = await startReceiver();
  const mails: TakenMail[] = [];
  let fixed: Answer | null = null;
  receiver.endpoint(service.path, (response, nth, raw) => {
    if (fixed) return fixed(response, nth, raw);
    const request = receiver.received(service.path)[nth - 1] as ReceivedRequest;
    void (async () => {
      const refusal = await service.check(request);
      if (refusal) return write(refusal[0], {}, refusal[1])(response, nth, raw);
      mails.push(await service.read(request));
      write(...service.success)(response, nth, raw);
    })().catch((error: Error) => write(500, {}, error.stack ?? '')(response, nth, raw));
  });
  return {
    url: receiver.url,
    service,
    get requests() {
      return receiver.received(service.path);
    },
    mails,
    answer(answer) {
      fixed = answer;
    },
    close: () => receiver.close(),
  };
}

/** An answer of a service with a JSON or text body. */
export const answered = write;
