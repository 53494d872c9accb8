/** The groups of operations, in the order of the page. */
export const TAGS = [
  { name: 'Events', description: 'What your product tells the service.' },
  { name: 'Messages', description: 'What has become of it.' },
  { name: 'Delivery runs', description: 'One delivery of a message to one channel.' },
  { name: 'Account', description: 'Usage and limits of the tenant.' },
  { name: 'Plans', description: 'Management: what tenants may use.' },
  { name: 'Tenants', description: 'Management: the customers of the installation.' },
  { name: 'Environments', description: 'Management: development, staging, production of a tenant.' },
  { name: 'Tokens', description: 'Management: what clients of an environment authenticate with.' },
  { name: 'Channels', description: 'Management: where an environment delivers to.' },
  { name: 'Templates', description: 'Management: what is delivered, in immutable versions.' },
  { name: 'Event types', description: 'Management: what the payload of an event key must be.' },
  { name: 'Operations', description: 'Management: search over an environment, and bulk replay.' },
  { name: 'Secrets', description: 'Management: the keys that stored secrets are encrypted with.' },
  { name: 'Audit log', description: 'Management: who changed what.' },
  { name: 'Webhooks', description: 'What the service sends to you.' },
] as const;

export type Tag = (typeof TAGS)[number]['name'];
