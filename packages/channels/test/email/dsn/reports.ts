/** Lines of a mail with the line ends that mail has. */
const mail = (...lines: string[]) => Buffer.from(lines.join('\r\n'));

interface Bounce {
  readonly action?: string;
  readonly status?: string;
  readonly recipient?: string;
  readonly original?: string | null;
  readonly diagnostic?: string;
  readonly messageId?: string;
  /** The address that the report is sent to. */
  readonly to?: string;
  /** The content type of the part with the returned mail. */
  readonly returned?: string;
  readonly more?: readonly string[];
}

/** A delivery report as Postfix writes it (RFC 3464). */
export function deliveryReport({
  action = 'failed',
  status = '5.1.1',
  recipient = 'ada@example.com',
  original = recipient,
  diagnostic = `smtp; 550 5.1.1 <${recipient}>: Recipient address rejected: User unknown in
    virtual mailbox table`.replaceAll('\n', '\r\n'),
  messageId = '<run_01kb2t5rwhffh8rkc5f0m1ek9r@shop.example.com>',
  to = 'bounces@shop.example.com',
  returned = 'message/rfc822',
  more = [],
}: Bounce = {}): Buffer {
  return mail(
    'Return-Path: <>',
    'Date: Sun, 22 Nov 2026 10:15:02 +0000 (UTC)',
    'From: MAILER-DAEMON@mx.shop.example.com (Mail Delivery System)',
    'Subject: Undelivered Mail Returned to Sender',
    `To: ${to}`,
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status;',
    '\tboundary="4D9C81C004F.1795342502/mx.shop.example.com"',
    'Message-Id: <20261122101502.5C2A01C0051@mx.shop.example.com>',
    '',
    'This is a MIME-encapsulated message.',
    '',
    '--4D9C81C004F.1795342502/mx.shop.example.com',
    'Content-Description: Notification',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    "I'm sorry to have to inform you that your message could not",
    'be delivered to one or more recipients.',
    '',
    '--4D9C81C004F.1795342502/mx.shop.example.com',
    'Content-Description: Delivery report',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.shop.example.com',
    'X-Postfix-Queue-ID: 4D9C81C004F',
    'X-Postfix-Sender: rfc822; bounces@shop.example.com',
    'Arrival-Date: Sun, 22 Nov 2026 10:15:01 +0000 (UTC)',
    '',
    `Final-Recipient: rfc822; ${recipient}`,
    ...(original === null ? [] : [`Original-Recipient: rfc822;${original}`]),
    `Action: ${action}`,
    `Status: ${status}`,
    'Remote-MTA: dns; mx.example.com',
    `Diagnostic-Code: ${diagnostic}`,
    ...more,
    '',
    '--4D9C81C004F.1795342502/mx.shop.example.com',
    'Content-Description: Undelivered Message',
    `Content-Type: ${returned}`,
    '',
    'Received: from worker (unknown [10.0.0.7])',
    '\tby mx.shop.example.com (Postfix) with ESMTPS id 4D9C81C004F',
    `Message-ID:`,
    ` ${messageId}`,
    'From: Shop <shop@example.com>',
    `To: ${recipient}`,
    'Subject: On its way',
    'Content-Type: multipart/alternative; boundary=inner',
    '',
    '--inner',
    'Content-Type: text/plain',
    '',
    'Message-ID: <run_00000000000000000000000000@attacker.example>',
    '--inner--',
    '',
    '--4D9C81C004F.1795342502/mx.shop.example.com--',
    '',
  );
}

/** A complaint as RFC 5965 has it in its appendix B. */
export function complaint({ type = 'abuse', recipient = 'ada@example.com' } = {}): Buffer {
  return mail(
    'From: <abusedesk@example.com>',
    'Date: Thu, 8 Mar 2026 17:40:36 -0500',
    'Subject: FW: Earn money',
    'To: <abuse@example.net>',
    'Message-ID: <20261122174036.42342@example.net>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=feedback-report;',
    '     boundary="part1_13d.2e68ed54_boundary"',
    '',
    '--part1_13d.2e68ed54_boundary',
    'Content-Type: text/plain; charset="US-ASCII"',
    'Content-Transfer-Encoding: 7bit',
    '',
    'This is an email abuse report for an email message received from IP',
    '192.0.2.1 on Thu, 8 Mar 2026 14:00:00 EDT.',
    '',
    '--part1_13d.2e68ed54_boundary',
    'Content-Type: message/feedback-report',
    '',
    `Feedback-Type: ${type}`,
    'User-Agent: SomeGenerator/1.0',
    'Version: 1',
    'Original-Mail-From: <somespammer@example.net>',
    `Original-Rcpt-To: <${recipient}>`,
    'Arrival-Date: Thu, 8 Mar 2026 14:00:00 EDT',
    'Reporting-MTA: dns; mail.example.com',
    'Source-IP: 192.0.2.1',
    '',
    '--part1_13d.2e68ed54_boundary',
    'Content-Type: message/rfc822',
    'Content-Disposition: inline',
    '',
    'Received: from mailserver.example.net',
    'From: <somespammer@example.net>',
    `To: <${recipient}>`,
    'Subject: Earn money',
    'MIME-Version: 1.0',
    'Content-type: text/plain',
    'Message-ID: <run_01kb2t5rwhffh8rkc5f0m1ek9r@example.net>',
    '',
    'Spam Spam Spam',
    '--part1_13d.2e68ed54_boundary--',
    '',
  );
}
