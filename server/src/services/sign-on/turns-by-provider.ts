import type { FairTurns } from '../../domain/fair-turns';
import { fromAddress } from '../../security/login-turns';

/** Places for each provider of the configuration: one that hangs takes those of no other. */
export class TurnsByProvider {
  private readonly turns = new Map<string, FairTurns>();

  constructor(private readonly make: () => FairTurns) {}

  take<Result>(provider: string, address: string, work: () => Promise<Result>): Promise<Result> {
    const turns = this.turns.get(provider) ?? this.make();
    this.turns.set(provider, turns);
    return turns.take(fromAddress(address), work);
  }
}
