import { AWS_REGION } from '../../service-url.ts';
import { defineHttpProvider } from './http/provider.ts';

/**
 * Sends through `SendEmail` of Amazon SES' API v2, as raw MIME.
 * @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html
 */
export const sesProvider = defineHttpProvider({
  name: 'ses',
  label: 'Amazon SES',
  settings: {
    region: {
      description: 'The AWS region, such as `eu-central-1`.',
      isRequired: true,
      pattern: AWS_REGION,
      must: 'must be an AWS region, such as eu-central-1',
    },
    access_key_id: {
      description: 'The access key of an IAM user that may call `ses:SendEmail`.',
      isRequired: true,
      pattern: /^\w{16,128}$/,
      must: 'must be an access key id: 16 to 128 letters and digits',
    },
    configuration_set: {
      description: 'The configuration set whose event destination publishes feedback.',
      pattern: /^[\w-]{1,64}$/,
      must: 'must be at most 64 letters, digits, hyphens and underscores',
    },
    topic_arn: {
      description: 'The SNS topic of the feedback. Without it, feedback is refused.',
      pattern: /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}(?:\.fifo)?$/,
      must: 'must be the ARN of an SNS topic',
      maxLength: 400,
    },
  },
  credentials: {
    secret_access_key: {
      label: 'secret access key',
      description: 'The secret of the access key.',
      required: true,
      isSent: true,
    },
  },
  async loadSender() {
    const { createSesSender } = await import('./ses/sender.ts');
    return { createSender: createSesSender };
  },
  // A message of SNS has at most 256 KiB, here quoted in JSON with its signature.
  maxFeedbackBytes: 384 * 1024,
  async loadFeedback() {
    return (await import('./ses/feedback.ts')).sesFeedback;
  },
});
