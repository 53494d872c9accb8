import { createServer } from 'node:net';
import { type AttemptOutcome, createAddressPolicy } from '@postrider/domain';
import { listenOnLoopback } from '@postrider/rig';
import { afterEach, describe, expect, it } from '@postrider/testing';
import type { Delivery, ExchangeFacts, Sender, SenderOptions } from '../../src/sender.ts';
import { loopbackAllowed } from '../support/delivery.ts';
import { type AnswerFault, type Line, MARKER, startLine } from './line.ts';

/** A server of a kind on 127.0.0.1 without TLS. It requires the credential, and takes every message. */
export interface Peer {
  readonly port: number;
  /** The bodies of the messages so far. */
  received(): readonly string[];
  /** Refuses messages from now on: for now, or this message for good. */
  refuse(how: 'for now' | 'for good'): void;
  /** Makes the peer name this port as its own, if it names one. */
  route?(port: number): void;
  close(): Promise<unknown>;
}

export interface DeliveryDetails {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly reportExchange?: (facts: ExchangeFacts) => void;
  /** By default the one that the peer knows. */
  readonly credential?: string;
}

/** A sender and its peer. */
export interface Conformance<Content> {
  readonly name: string;
  /** The error codes of the kind. */
  readonly codes: RegExp;
  /** The credential that the peer requires. */
  readonly credential: string;
  startPeer(): Promise<Peer>;
  createSender(options: SenderOptions): Sender<Content>;
  /** A delivery of the body to this port of 127.0.0.1. */
  delivery(
    port: number,
    body: string,
    details: DeliveryDetails & { readonly credential: string },
  ): Delivery<Content>;
  /** A delivery that is refused for good. Left out: the peer refuses it. */
  refusedForGood?(delivery: Delivery<Content>): Delivery<Content>;
}

/** Shorter than any test takes, and longer than an exchange on a busy machine. */
const TIMEOUT_MS = 2_000;
const LONG_MS = 300_000;
const MAX_EXCERPT = 16_384;
const MAX_READ_BYTES = 64 * 1_048_576;
/** Within the limits of every kind; SQS has the smallest one, 1 MiB. */
const LARGE_BODY_LENGTH = 900_000;

/** A credential that no peer knows. Peers may repeat it in their answers. */
export const WRONG_CREDENTIAL = 'wrong-secret-4712';

const bodyOf = (text: string) => JSON.stringify({ text, marker: MARKER });

/**
 * Describes what every kind's sender promises: how an attempt ends, and what it costs. It knows no protocol: the faults
 * are on the line to the peer.
 */
export function describeSender<Content>(kind: Conformance<Content>): void {
  const closing: (() => unknown)[] = [];
  const results: AttemptOutcome[] = [];
  const facts: ExchangeFacts[] = [];
  const credentials = new Set<string>();

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
    const shown = JSON.stringify([results.splice(0), facts.splice(0)]);
    // In every test: no result and no recorded fact contains a credential.
    for (const credential of credentials) expect(shown).not.toContain(credential);
    credentials.clear();
  });

  async function start(options: Partial<SenderOptions> = {}) {
    const peer = await kind.startPeer();
    closing.push(peer.close);
    const line: Line = await startLine(peer.port);
    closing.push(line.close);
    peer.route?.(line.port);
    const sender = kind.createSender({ isAddressAllowed: loopbackAllowed, ...options });
    closing.push(sender.close);
    const deliver = async (delivery: Delivery<Content>) => {
      const result = await sender.send(delivery);
      results.push(result);
      if (result.error) expect(result.error.code).toMatch(kind.codes);
      expect(result.response?.bodyExcerpt?.length ?? 0).toBeLessThanOrEqual(MAX_EXCERPT);
      return result;
    };
    const deliveryOf = (text: string, details: DeliveryDetails = {}, port = line.port) => {
      const credential = details.credential ?? kind.credential;
      credentials.add(credential);
      const reportExchange = (fact: ExchangeFacts) => void facts.push(fact);
      return kind.delivery(port, bodyOf(text), {
        ...{ timeoutMs: LONG_MS, reportExchange, ...details, credential },
      });
    };
    const send = (text = 'a', details: DeliveryDetails = {}, port = line.port) =>
      deliver(deliveryOf(text, details, port));
    return { peer, line, send, deliver, deliveryOf };
  }

  describe(`a sender of ${kind.name}`, () => {
    it('delivers each body once and unchanged, with a response, and uses connections again', async () => {
      const { peer, line, send } = await start();
      const texts = ['one', 'two', 'ünïcode', 'four', 'five'];
      for (const text of texts) {
        expect(await send(text)).toMatchObject({
          status: 'succeeded',
          response: { statusCode: expect.any(Number) },
        });
      }
      expect(peer.received()).toEqual(texts.map(bodyOf));
      expect(line.connections()).toBeLessThanOrEqual(2);
    });

    it('delivers a large body unchanged', async () => {
      const { peer, send } = await start();
      const text = 'large '.repeat(LARGE_BODY_LENGTH / 6);
      expect(await send(text)).toMatchObject({ status: 'succeeded' });
      expect(peer.received().map(({ length }) => length)).toEqual([bodyOf(text).length]);
      expect(peer.received()[0] === bodyOf(text)).toBe(true);
    });

    it('fails for now if the peer refuses a message for now', async () => {
      const { peer, send } = await start();
      peer.refuse('for now');
      expect(await send()).toMatchObject({ status: 'failed', error: { retryable: true } });
    });

    it('fails for good if a message will never be taken', async () => {
      const { peer, deliver, deliveryOf } = await start();
      if (!kind.refusedForGood) peer.refuse('for good');
      const delivery = kind.refusedForGood?.(deliveryOf('a')) ?? deliveryOf('a');
      expect(await deliver(delivery)).toMatchObject({ status: 'failed', error: { retryable: false } });
    });

    it('fails for now if the credential is wrong', async () => {
      const { peer, send } = await start();
      expect(await send('a', { credential: WRONG_CREDENTIAL })).toMatchObject({
        status: 'failed',
        error: { retryable: true },
      });
      expect(peer.received()).toEqual([]);
    });

    it('fails for now, with certainty, if nothing listens', async () => {
      const { send } = await start();
      const { port, close } = await listenOnLoopback(createServer());
      await close();
      expect(await send('a', {}, port)).toMatchObject({
        status: 'failed',
        response: null,
        error: { retryable: true },
      });
    });

    it('connects to no address that the policy refuses, and says how to allow it', async () => {
      const { line, send } = await start({ isAddressAllowed: createAddressPolicy([]) });
      expect(await send()).toMatchObject({
        status: 'failed',
        response: null,
        error: { retryable: false, message: expect.stringContaining('EGRESS_ALLOW_CIDRS') },
      });
      expect(line.connections()).toBe(0);
    });

    it('takes an answer that arrives byte by byte', async () => {
      const { line, send } = await start();
      line.fault = 'drip';
      expect(await send()).toMatchObject({ status: 'succeeded' });
    });

    it.each<AnswerFault>(['drop', 'cut', 'half'])(
      'does not know the outcome if the answer is lost (%s), and delivers the next message',
      async (fault) => {
        const { line, send } = await start();
        line.fault = fault;
        expect(await send('a', { timeoutMs: TIMEOUT_MS })).toMatchObject({
          status: 'unknown',
          error: { retryable: true },
        });
        line.fault = null;
        expect(await send('b')).toMatchObject({ status: 'succeeded' });
      },
    );

    it('never takes a late answer for that of the next message', async () => {
      const { peer, line, send } = await start();
      line.fault = 'hold';
      expect(await send('a', { timeoutMs: TIMEOUT_MS })).toMatchObject({ status: 'unknown' });
      line.fault = null;
      peer.refuse('for now');
      line.onBody = line.release;
      expect(await send('b')).toMatchObject({ status: 'failed' });
    });

    it('reads a bounded part of an endless answer, and delivers the next message', async () => {
      const { line, send } = await start();
      line.fault = 'endless';
      await send('a', { timeoutMs: TIMEOUT_MS });
      line.fault = null;
      expect(await send('b')).toMatchObject({ status: 'succeeded' });
      expect(line.sentBytes()).toBeLessThan(MAX_READ_BYTES);
    });

    it('ends at once, with an unknown outcome, if it is aborted after the message was sent', async () => {
      const { line, send } = await start();
      const abort = new AbortController();
      line.fault = 'drop';
      line.onBody = () => abort.abort();
      expect(await send('a', { signal: abort.signal })).toMatchObject({
        status: 'unknown',
        error: { retryable: true },
      });
    });

    it('sends nothing if it was aborted before, and has failed with certainty', async () => {
      const { peer, send } = await start();
      expect(await send('a', { signal: AbortSignal.abort() })).toMatchObject({
        status: 'failed',
        error: { retryable: true },
      });
      expect(await send('b')).toMatchObject({ status: 'succeeded' });
      expect(peer.received()).toEqual([bodyOf('b')]);
    });
  });
}
