import type { Decision, StatedMethod } from './contract.js';

/**
 * Takes the visitor's answer: it is in force at once, whether or not the server confirms it, and the banner
 * closes.
 */
export let answer: (decision: Decision, method: StatedMethod, allows?: (key: string) => boolean) => void;

/**
 * Sets what an answer does. Set later by main.ts, because frames and layers call it and are changed by it: an
 * import would be a cycle.
 */
export const onAnswer = (take: typeof answer): void => {
  answer = take;
};
