import fc from 'fast-check';
import {
  type Attempt,
  deliveryAfter,
  deliveryAfterMove,
  MAX_FAILURES,
  nextAttemptAt,
  type WebhookChange,
  type WebhookState,
  webhookAfter,
} from '../../server/src/domain/delivery-rules';

const SCHEDULE = [10, 120, 900, 7200];
const START = Date.parse('2026-11-21T09:30:00.000Z');
const FRESH: WebhookState = {
  status: 'active',
  consecutive_failures: 0,
  last_counted_at: null,
  retry_at: null,
};

const attemptAt = (start: number, duration: number, outcome: Partial<Attempt> = {}): Attempt => ({
  ok: false,
  gone: false,
  startedAt: new Date(START + start),
  endedAt: new Date(START + start + duration),
  ...outcome,
});

interface Step extends Partial<Attempt> {
  /** Milliseconds: from the end of the one before, and of this one. */
  gap: number;
  duration: number;
}

/** Attempts that begin one after another, each after the end of the one before. */
function inTurn(steps: readonly Step[]): Attempt[] {
  let now = 0;
  return steps.map(({ gap, duration, ...outcome }) => {
    const attempt = attemptAt(now + gap, duration, outcome);
    now += gap + duration;
    return attempt;
  });
}

/** Every state on the way, the first included. */
function history(attempts: readonly Attempt[], random = 0.5): WebhookChange[] {
  const states: WebhookChange[] = [FRESH];
  for (const attempt of attempts) {
    const { disabled_reason: _, ...before } = states.at(-1) as WebhookChange;
    states.push(webhookAfter(before, attempt, SCHEDULE, random));
  }
  return states;
}

const step = fc.record({
  gap: fc.integer({ min: 1, max: 10_000_000 }),
  duration: fc.integer({ min: 0, max: 15_000 }),
  retryAfterSeconds: fc.option(fc.integer({ min: 0, max: 100_000 }), { nil: undefined }),
});
const random = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

test('the fifth failure in a row disables, exactly once, whatever comes later', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 30 }), random, (steps, chance) => {
      const states = history(inTurn(steps), chance);
      expect(states.slice(0, 5).map(({ status }) => status)).toEqual(['active', ...Array(4).fill('failing')]);
      expect(states.slice(5).every(({ status }) => status === 'disabled')).toBe(true);
      expect(states.filter(({ disabled_reason }) => disabled_reason !== undefined)).toHaveLength(1);
      expect(states[5]?.disabled_reason).toBe('5 consecutive deliveries failed.');
      expect(states.at(-1)?.consecutive_failures).toBe(MAX_FAILURES);
    }),
  );
});

test('after any history the counter holds the failures since the last success, and five of them disable for good', () => {
  const steps = fc.array(
    fc.tuple(step, fc.boolean()).map(([one, ok]) => ({ ...one, ok })),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(steps, random, (sequence, chance) => {
      let failures = 0;
      for (const { ok } of sequence) {
        if (failures === MAX_FAILURES) break;
        failures = ok ? 0 : failures + 1;
      }
      const status = failures === 0 ? 'active' : failures === MAX_FAILURES ? 'disabled' : 'failing';
      expect(history(inTurn(sequence), chance).at(-1)).toMatchObject({
        status,
        consecutive_failures: failures,
      });
    }),
  );
});

test('four failures, a success and four failures leave it failing, not disabled', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 9, maxLength: 9 }), random, (steps, chance) => {
      const states = history(inTurn(steps.map((one, index) => ({ ...one, ok: index === 4 }))), chance);
      expect(states[5]).toMatchObject({ status: 'active', consecutive_failures: 0, retry_at: null });
      expect(states[9]).toMatchObject({ status: 'failing', consecutive_failures: 4 });
      expect(states.some(({ status }) => status === 'disabled')).toBe(false);
    }),
  );
});

test('a burst whose attempts began before the first counted failure counts once, in whatever order they end', () => {
  const burst = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 1000, max: 15_000 })),
    {
      minLength: 2,
      maxLength: 64,
    },
  );
  fc.assert(
    fc.property(burst, random, (attempts, chance) => {
      const states = history(
        attempts.map(([start, duration]) => attemptAt(start, duration)),
        chance,
      );
      expect(states.at(-1)).toMatchObject({ status: 'failing', consecutive_failures: 1 });
      // Nor does it move the moment of the next attempt.
      expect(new Set(states.slice(1).map(({ retry_at }) => retry_at?.getTime())).size).toBe(1);
    }),
  );
});

test('an attempt that began with the last counted failure does not count, one that began a millisecond later does', () => {
  const [, failing] = history([attemptAt(0, 500)]) as [WebhookChange, WebhookChange];
  expect(webhookAfter(failing, attemptAt(500, 10), SCHEDULE, 0.5)).toBe(failing);
  expect(webhookAfter(failing, attemptAt(501, 10), SCHEDULE, 0.5).consecutive_failures).toBe(2);
});

test('a success resets the counter also when its attempt began before the failures', () => {
  const states = history([attemptAt(1, 10), attemptAt(20, 10), attemptAt(0, 100, { ok: true })]);
  expect(states.map(({ consecutive_failures }) => consecutive_failures)).toEqual([0, 1, 2, 0]);
  expect(states.at(-1)).toMatchObject({ status: 'active', retry_at: null });
});

test('a late failure from before a success that followed it counts once at the most', () => {
  const states = history([
    attemptAt(0, 100),
    attemptAt(200, 10, { ok: true }),
    attemptAt(50, 5000),
    attemptAt(60, 5000),
  ]);
  expect(states.at(-1)?.consecutive_failures).toBeLessThanOrEqual(1);
});

test('a disabled webhook stays as it is, whatever a late attempt says', () => {
  fc.assert(
    fc.property(step, fc.boolean(), fc.boolean(), (one, ok, gone) => {
      const disabled: WebhookState = {
        status: 'disabled',
        consecutive_failures: 5,
        last_counted_at: new Date(START - 1),
        retry_at: null,
      };
      const after = webhookAfter(disabled, attemptAt(one.gap, one.duration, { ok, gone }), SCHEDULE, 0.5);
      expect(after).toBe(disabled);
      expect(after.disabled_reason).toBeUndefined();
    }),
  );
});

test('410 disables at once, from any count and even in a burst, and says so', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4 }), (failures) => {
      const before = history(inTurn(Array(failures).fill({ gap: 1, duration: 1 }))).at(-1) as WebhookChange;
      const after = webhookAfter(before, attemptAt(0, 5, { gone: true }), SCHEDULE, 0.5);
      expect(after).toMatchObject({
        status: 'disabled',
        retry_at: null,
        disabled_reason: 'The receiver answered 410 Gone.',
      });
    }),
  );
});

test('the schedule is spread by at most a tenth to either side', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (failures, chance) => {
        const seconds = SCHEDULE[failures - 1] as number;
        const attempt = attemptAt(0, 700);
        const wait = nextAttemptAt(failures, SCHEDULE, attempt, chance).getTime() - attempt.endedAt.getTime();
        expect(wait).toBeGreaterThanOrEqual(Math.floor(seconds * 900));
        expect(wait).toBeLessThanOrEqual(Math.ceil(seconds * 1100));
      },
    ),
  );
  const waits = [0, 0.5, 1].map((chance) => nextAttemptAt(2, SCHEDULE, attemptAt(0, 0), chance).getTime());
  expect(waits).toEqual([START + 108_000, START + 120_000, START + 132_000]);
});

test('Retry-After postpones the next attempt by up to an hour and never brings it forward', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4 }),
      random,
      fc.integer({ min: 0, max: 1_000_000 }),
      (failures, chance, retryAfterSeconds) => {
        const plain = nextAttemptAt(failures, SCHEDULE, attemptAt(0, 100), chance);
        const asked = nextAttemptAt(failures, SCHEDULE, attemptAt(0, 100, { retryAfterSeconds }), chance);
        const honoured = START + 100 + Math.min(retryAfterSeconds, 3600) * 1000;
        expect(asked.getTime()).toBe(Math.max(plain.getTime(), honoured));
      },
    ),
  );
  const [second, hour, day] = [1, 3600, 86_400].map((retryAfterSeconds) =>
    nextAttemptAt(1, SCHEDULE, attemptAt(0, 0, { retryAfterSeconds }), 0.5).getTime(),
  );
  expect([second, hour, day]).toEqual([START + 10_000, START + 3_600_000, START + 3_600_000]);
});

test('the webhook and its delivery wait for the same moment', () => {
  fc.assert(
    fc.property(step, random, ({ duration, retryAfterSeconds }, chance) => {
      const attempt = attemptAt(0, duration, { retryAfterSeconds });
      const webhook = webhookAfter(FRESH, attempt, SCHEDULE, chance);
      expect(deliveryAfter(0, 'event', attempt, SCHEDULE, chance).dueAt).toEqual(webhook.retry_at);
    }),
  );
});

test('a delivery is given up after its fifth failed attempt and delivered by any success', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4 }), random, (before, chance) => {
      const attempts = before + 1;
      const ended = { endedAt: new Date(START + 10) };
      const failed = deliveryAfter(before, 'event', attemptAt(0, 10), SCHEDULE, chance);
      expect(failed).toMatchObject({ attempts, state: attempts === 5 ? 'failed' : 'pending' });
      if (failed.state === 'pending') expect(failed.dueAt.getTime()).toBeGreaterThan(ended.endedAt.getTime());
      const succeeded = deliveryAfter(before, 'event', attemptAt(0, 10, { ok: true }), SCHEDULE, chance);
      expect(succeeded).toEqual({ attempts, state: 'delivered', dueAt: ended.endedAt });
    }),
  );
});

test('a delivery whose webhook is disabled is held after any attempt, the fifth too', () => {
  for (const before of [0, 3, 4]) {
    const held = deliveryAfter(before, 'event', attemptAt(0, 10), SCHEDULE, 0.5, true);
    expect(held).toMatchObject({ state: 'pending', attempts: before + 1 });
  }
  const won = deliveryAfter(4, 'event', attemptAt(0, 10, { ok: true }), SCHEDULE, 0.5, true);
  expect(won.state).toBe('delivered');
  for (const kind of ['test', 'redelivery'] as const)
    expect(deliveryAfter(0, kind, attemptAt(0, 10), SCHEDULE, 0.5, true).state).toBe('failed');
});

test('a failure at an earlier URL leaves a delivery as many attempts as before, after the wait of those', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 4 }),
      random,
      step,
      (before, chance, { duration, retryAfterSeconds }) => {
        const attempt = attemptAt(0, duration, { retryAfterSeconds });
        const due_at = new Date(attempt.startedAt.getTime() - 3_600_000);
        const moved = deliveryAfterMove({ attempts: before, due_at }, attempt, SCHEDULE, chance);
        const own = attemptAt(0, duration);
        // One that was held keeps its place among the others.
        const dueAt = before === 0 ? due_at : nextAttemptAt(before, SCHEDULE, own, chance);
        expect(moved).toEqual({ state: 'pending', attempts: before, dueAt });
      },
    ),
  );
});

test.each(['test', 'redelivery'] as const)('a %s is tried once and never again', (kind) => {
  expect(deliveryAfter(0, kind, attemptAt(0, 10), SCHEDULE, 0.5)).toMatchObject({
    attempts: 1,
    state: 'failed',
  });
  expect(deliveryAfter(0, kind, attemptAt(0, 10, { ok: true }), SCHEDULE, 0.5)).toMatchObject({
    attempts: 1,
    state: 'delivered',
  });
});

test('no rule changes what it is given', () => {
  const state = Object.freeze({ ...FRESH });
  const attempt = Object.freeze(attemptAt(0, 10));
  webhookAfter(state, attempt, Object.freeze([...SCHEDULE]), 0.5);
  deliveryAfter(0, 'event', attempt, Object.freeze([...SCHEDULE]), 0.5);
});
