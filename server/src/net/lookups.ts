import type { LookupAddress } from 'node:dns';
import { abortable } from './abortable';
import { Failure } from './failure';
import type { Lookup } from './resolver';

/** Limits concurrent queries; each kind of work has its own limit. */
export function inTurn(lookup: Lookup, most: number): Lookup {
  const waiting = new Set<() => void>();
  let asked = 0;
  const turn = async (signal: AbortSignal | undefined): Promise<void> => {
    if (asked < most) {
      asked += 1;
      return;
    }
    // The slot is handed on, so `asked` is unchanged.
    let go: () => void = () => undefined;
    const mine = new Promise<void>((resolve) => {
      go = resolve;
    });
    waiting.add(go);
    try {
      await (signal === undefined ? mine : abortable(mine, signal));
    } catch (error) {
      // Cancelled; a slot that was granted at the same time goes to the next.
      if (!waiting.delete(go)) next();
      throw error;
    }
  };
  const next = (): void => {
    const [first] = waiting;
    if (first === undefined) {
      asked -= 1;
      return;
    }
    waiting.delete(first);
    first();
  };
  return async (name, signal) => {
    await turn(signal);
    try {
      return await lookup(name, signal);
    } finally {
      next();
    }
  };
}

interface Question {
  answer: Promise<LookupAddress[]>;
  stop: AbortController;
  waiting: number;
}

/** One query per name, shared by all who wait for it, and cancelled when nobody waits any more. */
export function shared(lookup: Lookup): Lookup {
  const asked = new Map<string, Question>();
  const begin = (name: string): Question => {
    const stop = new AbortController();
    const forget = (): void => {
      if (asked.get(name) === question) asked.delete(name);
    };
    const question: Question = { answer: lookup(name, stop.signal).finally(forget), stop, waiting: 0 };
    stop.signal.addEventListener('abort', forget, { once: true });
    asked.set(name, question);
    return question;
  };
  return async (name, signal) => {
    const question = asked.get(name) ?? begin(name);
    question.waiting += 1;
    try {
      return await (signal === undefined ? question.answer : abortable(question.answer, signal));
    } finally {
      question.waiting -= 1;
      if (question.waiting === 0) question.stop.abort(new Failure('STOPPED'));
    }
  };
}
