import { logFailure } from '../observability/failures';
import { type AttemptOptions, notSent, record, sendClaimed, Unsendable } from './attempt';
import type { ClaimedDelivery } from './claim';
import { postpone, release, type Sent } from './settle';

/** Sends one delivery under the lease that it was stored with, and writes the result, whatever it is. */
export async function sendNow(options: AttemptOptions, claimed: ClaimedDelivery): Promise<Sent> {
  const sent = await sendClaimed(options, claimed).catch(orUnsendable);
  const result = sent instanceof Unsendable ? notSent(sent) : sent;
  await record(options, claimed, result);
  return result;
}

/**
 * Sends a claimed delivery and writes the result; one that was stopped, or that cannot be sent for our own
 * reasons, is left for later. Resolves with whether the receiver took it.
 */
export async function deliver(
  options: AttemptOptions,
  claimed: ClaimedDelivery,
  stopped: boolean,
): Promise<boolean> {
  const { db, transport } = options;
  const sent = stopped ? undefined : await sendClaimed(options, claimed).catch(orUnsendable);
  if (sent instanceof Unsendable) return putOff(options, claimed, sent);
  // Interrupted by our own stop, which says nothing about the receiver.
  if (sent === undefined || (!sent.ok && transport.closed.aborted)) await release(db, claimed);
  else await record(options, claimed, sent);
  return sent?.ok ?? false;
}

async function putOff(
  { db, log, onDelivery }: AttemptOptions,
  claimed: ClaimedDelivery,
  { message, cause }: Unsendable,
): Promise<false> {
  const { webhook_id } = claimed.webhook;
  logFailure(log, 'error', { error: cause, webhook_id }, 'a delivery could not be made ready to be sent');
  await postpone(db, claimed, message);
  onDelivery?.('unsendable', 0);
  return false;
}

function orUnsendable(error: unknown): Unsendable {
  if (error instanceof Unsendable) return error;
  throw error;
}
