/**
 * The maximum number of attempts of one delivery, and of consecutive failures of one webhook (interface
 * specification §8).
 */
export const MAX_FAILURES = 5;
/** Days that deliveries are kept, and that what a paused or disabled webhook missed can become deliveries. */
export const DELIVERY_DAYS = 30;
/** The longest Retry-After that is honoured, in seconds: an hour. */
const MAX_RETRY_AFTER = 3600;
/** The jitter of the schedule, so that many deliveries do not retry at once. */
const JITTER = 0.1;

/** The result of one attempt. */
export interface Attempt {
  ok: boolean;
  /** The receiver is gone for good: 410. */
  gone: boolean;
  startedAt: Date;
  endedAt: Date;
  retryAfterSeconds?: number | undefined;
  error?: string | undefined;
}

/** What a webhook remembers of its failures. */
export interface WebhookState {
  status: 'active' | 'failing' | 'disabled';
  consecutive_failures: number;
  last_counted_at: Date | null;
  retry_at: Date | null;
}

export interface WebhookChange extends WebhookState {
  /** Set when this attempt disabled the webhook. */
  disabled_reason?: string;
}

/**
 * The time of the next attempt after 1–4 failures: the schedule with ±10 % jitter, or later if the receiver asks for it.
 * @param schedule seconds, one for each failure but the last
 * @param random from 0 to 1
 */
export function nextAttemptAt(
  failures: number,
  schedule: readonly number[],
  attempt: Attempt,
  random: number,
): Date {
  const seconds = schedule[Math.min(failures, schedule.length) - 1] ?? 0;
  const spread = seconds * (1 + JITTER * (2 * random - 1));
  const asked = Math.min(attempt.retryAfterSeconds ?? 0, MAX_RETRY_AFTER);
  return new Date(attempt.endedAt.getTime() + Math.max(spread, asked) * 1000);
}

/**
 * The state of a webhook after an attempt. A success resets the count. A failure counts only if its attempt
 * began after the last one that counted, so that a burst during a short outage counts once. The fifth in a
 * row, or 410, disables it.
 */
export function webhookAfter(
  state: WebhookState,
  attempt: Attempt,
  schedule: readonly number[],
  random: number,
): WebhookChange {
  if (state.status === 'disabled') return state;
  if (attempt.ok)
    return {
      status: 'active',
      consecutive_failures: 0,
      last_counted_at: state.last_counted_at,
      retry_at: null,
    };
  const disabled = { status: 'disabled' as const, last_counted_at: attempt.endedAt, retry_at: null };
  if (attempt.gone) {
    const reason = 'The receiver answered 410 Gone.';
    return { ...disabled, consecutive_failures: state.consecutive_failures + 1, disabled_reason: reason };
  }
  if (state.last_counted_at !== null && attempt.startedAt <= state.last_counted_at) return state;
  const failures = state.consecutive_failures + 1;
  if (failures >= MAX_FAILURES) {
    const reason = `${MAX_FAILURES} consecutive deliveries failed.`;
    return { ...disabled, consecutive_failures: failures, disabled_reason: reason };
  }
  return {
    status: 'failing',
    consecutive_failures: failures,
    last_counted_at: attempt.endedAt,
    retry_at: nextAttemptAt(failures, schedule, attempt, random),
  };
}

/**
 * The state of a delivery after an attempt; tests and redeliveries have a single attempt.
 * @param held the webhook is disabled or paused now: the delivery waits until it goes on, even after its last
 * attempt
 */
export function deliveryAfter(
  attemptsBefore: number,
  kind: 'event' | 'test' | 'redelivery',
  attempt: Attempt,
  schedule: readonly number[],
  random: number,
  held = false,
): { state: 'pending' | 'delivered' | 'failed'; attempts: number; dueAt: Date } {
  const attempts = attemptsBefore + 1;
  if (attempt.ok) return { state: 'delivered', attempts, dueAt: attempt.endedAt };
  if (kind !== 'event' || (attempts >= MAX_FAILURES && !held))
    return { state: 'failed', attempts, dueAt: attempt.endedAt };
  return { state: 'pending', attempts, dueAt: nextAttemptAt(attempts, schedule, attempt, random) };
}

/**
 * The state of a delivery after a failed attempt at a URL that its webhook has no more. It does not count, so that the
 * present URL gets all that are left, of five; each such attempt costs the owner a change of the URL.
 */
export function deliveryAfterMove(
  { attempts, due_at }: { attempts: number; due_at: Date },
  attempt: Attempt,
  schedule: readonly number[],
  random: number,
): { state: 'pending'; attempts: number; dueAt: Date } {
  // The earlier receiver cannot ask for a wait of the present one.
  const own = { ...attempt, retryAfterSeconds: undefined };
  // Its place among those that were held is by the time at which it was due.
  const dueAt = attempts === 0 ? due_at : nextAttemptAt(attempts, schedule, own, random);
  return { state: 'pending', attempts, dueAt };
}
