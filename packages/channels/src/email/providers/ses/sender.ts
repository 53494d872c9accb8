import { signedForAws } from '../../../http/aws-signature.ts';
import type { SenderOptions } from '../../../sender.ts';
import type { EmailSender, EmailToSend } from '../../provider.ts';
import { providerUrl } from '../http/endpoint.ts';
import { mimeMessage, RUN_METADATA } from '../http/message.ts';
import {
  createProviderSender,
  type ProviderAnswer,
  type ProviderApi,
  type ProviderRequest,
} from '../http/sender.ts';

const PATH = '/v2/email/outbound-emails';

/**
 * The message is raw MIME, the same as other providers get. SES replaces its `Message-ID` and `Date`, so feedback
 * finds the run by the tag.
 * @see https://docs.aws.amazon.com/ses/latest/dg/header-fields.html
 */
async function request(email: EmailToSend): Promise<ProviderRequest | null> {
  const { settings, credentials, message, runId, nowMs } = email;
  const { region, access_key_id: accessKeyId, configuration_set: configurationSet, endpoint } = settings;
  const secretAccessKey = credentials.secret_access_key;
  if (typeof region !== 'string' || typeof accessKeyId !== 'string' || !secretAccessKey) return null;
  const { mime, recipients } = await mimeMessage(message);
  const body = JSON.stringify({
    Destination: { ToAddresses: recipients },
    Content: { Raw: { Data: mime.toString('base64') } },
    EmailTags: [{ Name: RUN_METADATA, Value: runId }],
    ...(typeof configurationSet === 'string' ? { ConfigurationSetName: configurationSet } : {}),
  });
  const url = providerUrl(endpoint, `https://email.${region}.amazonaws.com`, PATH);
  const headers = signedForAws(
    {
      ...{ service: 'ses', region, url, body },
      headers: { 'content-type': 'application/json' },
      nowMs: nowMs(),
    },
    { accessKeyId, secretAccessKey },
  );
  return { url, headers, body };
}

const NOT_VERIFIED = 'MessageRejected.NotVerified';

/** The error's type without its namespace. An unverified address has no type of its own. */
function errorOf({ body, header }: ProviderAnswer): string | null {
  const named = header('x-amzn-errortype') ?? body.__type ?? body.code;
  if (typeof named !== 'string') return null;
  const type = named.split(':')[0]?.split('#').pop() ?? '';
  const said = body.message ?? body.Message;
  return type === 'MessageRejected' && /not verified/i.test(String(said)) ? NOT_VERIFIED : type;
}

/**
 * The API of Amazon SES.
 * @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html#API_SendEmail_Errors
 * @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/CommonErrors.html
 */
const SES_API: ProviderApi = {
  label: 'Amazon SES',
  request,
  messageIdOf: ({ body }) => (typeof body.MessageId === 'string' ? body.MessageId : null),
  errorOf,
  errors: {
    MessageRejected: 'message',
    BadRequestException: 'message',
    ValidationException: 'message',
    [NOT_VERIFIED]: 'account',
    AccountSuspendedException: 'account',
    MailFromDomainNotVerifiedException: 'account',
    NotFoundException: 'account',
    SendingPausedException: 'account',
    AccessDeniedException: 'account',
    ExpiredTokenException: 'account',
    IncompleteSignature: 'account',
    InvalidClientTokenId: 'account',
    MissingAuthenticationToken: 'account',
    NotAuthorized: 'account',
    OptInRequired: 'account',
    SignatureDoesNotMatch: 'account',
    UnrecognizedClientException: 'account',
    LimitExceededException: 'later',
    RequestExpired: 'later',
    ServiceUnavailable: 'later',
    ThrottlingException: 'later',
    TooManyRequestsException: 'later',
    InternalFailure: 'unknown',
  },
  statuses: {},
};

export const createSesSender = (options: SenderOptions): EmailSender =>
  createProviderSender(SES_API, options);
