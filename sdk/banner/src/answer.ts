import type { ConsentMethod, Decision } from './contract.js';

/**
 * Takes the visitor's answer: it is in force at once, whatever the server says later, and the banner closes.
 */
export let answer: (decision: Decision, method: ConsentMethod, allows?: (key: string) => boolean) => void;

/** Says what an answer does. It is given where frames and layers ask for it, and they are what it changes. */
export const onAnswer = (take: typeof answer): void => {
  answer = take;
};
