import { decide } from './consent.js';
import type { ConsentMethod, Decision } from './contract.js';
import { hide } from './view.js';

/** The visitor's answer: into force at once, whatever the server says later, and the banner goes. */
export function answer(decision: Decision, method: ConsentMethod, allows?: (key: string) => boolean): void {
  decide(decision, method, allows);
  void hide('saved');
}
