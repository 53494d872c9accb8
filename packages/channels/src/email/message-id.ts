/**
 * The `Message-ID` of a run's mail, the same on every attempt so that receivers can drop a duplicate
 * (docs/specification.md, "Email"): `<run_…@domain-of-from>`.
 * @param runId the run's public id
 * @param fromAddress the channel's sender, one bare address
 * @throws TypeError when the sender has no domain or either would break the header: both were validated
 * before, so that is a bug.
 */
export function emailMessageId(runId: string, fromAddress: string): string {
  const domain = fromAddress.slice(fromAddress.lastIndexOf('@') + 1).toLowerCase();
  if (!fromAddress.includes('@') || !/^[a-z0-9.-]+$/.test(domain)) {
    throw new TypeError('emailMessageId wants a bare sender address');
  }
  if (!/^run_[0-9a-z]+$/.test(runId)) throw new TypeError("emailMessageId wants a run's public id");
  return `<${runId}@${domain}>`;
}
