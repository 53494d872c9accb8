import {
  createServiceSender,
  type ServiceAnswer,
  type ServiceApi,
  type ServiceRequest,
} from '../../../http/service-sender.ts';
import type { SenderOptions } from '../../../sender.ts';
import type { EmailSender, EmailToSend } from '../../provider.ts';

/** The HTTP API of a provider. */
export type ProviderApi = Omit<ServiceApi<EmailToSend>, 'codes'>;
export type ProviderRequest = ServiceRequest;
export type ProviderAnswer = ServiceAnswer;

/** docs/specification.md, "Email providers". */
const CODES: ServiceApi<EmailToSend>['codes'] = {
  message: 'email_permanent_rejection',
  account: 'email_auth_failed',
  later: 'email_temporary_rejection',
  unknown: 'email_outcome_unknown',
  connection: 'email_connection_failed',
};

/** Creates the sender of a provider that takes mail over HTTP. */
export const createProviderSender = (api: ProviderApi, options: SenderOptions): EmailSender =>
  createServiceSender({ ...api, codes: CODES }, options);
