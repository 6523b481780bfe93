import type { Sender } from '../domain/fair-turns';
import { Rounds } from '../domain/rounds';

/**
 * From the beginning of a request to its refusal, in milliseconds: longer than a hash takes, also where others
 * are being made.
 */
const STEP = 1_000;

/**
 * Keeps refusals until a fixed time after their request, so that nobody can tell by the time whether a password
 * was checked. Costs a timer each. When too many are kept, whoever has the most gets the newest of them at
 * once.
 */
export class HeldRefusals {
  private readonly held = new Rounds<() => void>();

  constructor(private readonly most = 1_000) {}

  /** Resolves when a refusal of a request that came then, by `performance.now()`, may be sent. */
  wait(sender: Sender, came: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        resolve();
      };
      // Whatever took longer than a step ends with the next one.
      const timer = setTimeout(
        () => {
          this.held.remove(sender, end);
          resolve();
        },
        STEP - ((performance.now() - came) % STEP),
      );
      this.held.add(sender, end);
      if (this.held.size > this.most) this.held.drop()?.();
    });
  }
}
