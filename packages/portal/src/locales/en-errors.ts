/** Refusals of the service in English; docs/errors.md has the codes. */
export const errors = {
  statuses: {
    0: 'The service did not respond. Check your connection and try again.',
    403: 'Your session does not allow this.',
    404: 'It does not exist, or no longer exists.',
    409: 'This is not possible at the moment.',
    422: 'Something in the form is not valid.',
    429: 'Too many requests. Wait a moment and try again.',
    503: 'The service is not available at the moment. Try again in a moment.',
  },
  codes: {
    quota_exceeded: 'Your events of this month are used up.',
    payment_required: 'Nothing can be sent at the moment. Contact the provider of this page.',
    delivery_run_not_cancellable: 'This delivery can no longer be cancelled.',
  },
  conflicts: {
    overlap:
      'The secret was replaced recently, and the old one is still valid. Wait until it ends, or end it at once.',
    notReplayable: 'Tests cannot be sent again. Send another test.',
    erased: 'The data of this event was erased.',
    replays: 'Another replay has not ended yet. Try again later.',
  },
  /** With what the service names: a number, or values. */
  sentences: {
    longest: (count: string) => `must have at most ${count} characters.`,
    url: () => 'must be a complete address that begins with https://.',
    plainUrl: () => 'must not contain spaces, a user name, a password or #.',
    publicAddress: () => 'must be an address on the public internet.',
    headerName: () => 'is not the name of a header that can be chosen.',
    contains: (part: string) => `must contain ${part}.`,
  },
  details: {
    required: 'is required.',
    unknown_field: 'is not known.',
    other: 'has a value that is not allowed.',
    duplicate: 'occurs twice.',
    no_matching_channel: 'is taken by none of your endpoints.',
    unknown_channel: 'is not an enabled endpoint.',
    invalid_template: 'The template cannot be filled with this event.',
  },
};
