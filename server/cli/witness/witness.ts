import { type AddCheckpoint, readAddCheckpoint } from '../../src/domain/ledger/add-checkpoint';
import {
  openCheckpoint,
  type Refusal,
  refusalOf,
  type SignedCheckpoint,
} from '../../src/domain/ledger/witness-rules';
import type { Logs } from './logs';
import type { Signer } from './signer';
import type { CheckpointStore } from './store';

/** For so many seconds the same checkpoint gets the same signature, so that it costs no write each time. */
const SAME_FOR = 10;

export interface Signature {
  status: 200;
  line: string;
}

export type Verdict = (Signature | Refusal) & { origin?: string; submitted?: number };

/** A witness: what it has signed, and what it answers. */
export class Witness {
  constructor(
    private readonly signer: Signer,
    private readonly logs: Logs,
    private readonly store: CheckpointStore,
    /** Seconds since 1970. */
    private readonly now: () => number,
  ) {}

  /**
   * Answers a request. It waits for nothing between reading the last checkpoint and the new one being on the disk,
   * so two requests never see the same last one.
   */
  answer(body: string): Verdict {
    const request = readAddCheckpoint(body);
    if (request === undefined) return { status: 400, why: 'This is no request of add-checkpoint.' };
    const checkpoint = openCheckpoint(request, this.logs.keysOf);
    if ('status' in checkpoint) return checkpoint;
    const about = { origin: checkpoint.origin, submitted: checkpoint.size };
    return { ...this.judge(request, checkpoint), ...about };
  }

  private judge(request: AddCheckpoint, checkpoint: SignedCheckpoint): Signature | Refusal {
    const last = this.store.of(checkpoint.origin);
    const refused = refusalOf(request, checkpoint, last);
    if (refused !== undefined) return refused;
    const full = last === undefined ? this.store.refusal(checkpoint.origin) : undefined;
    if (full !== undefined) return { status: 507, why: full };
    const time = this.now();
    if (last?.text === checkpoint.text && timeOf(last.line) > time - SAME_FOR && timeOf(last.line) <= time) {
      return { status: 200, line: last.line };
    }
    const line = this.signer.cosign(checkpoint.text, time);
    const note = `${[checkpoint.text, ...checkpoint.lines, line].join('\n')}\n`;
    this.store.keep(checkpoint.origin, note);
    return { status: 200, line };
  }
}

/** The time of a cosignature, in seconds since 1970: behind 4 bytes of the key's id. */
const timeOf = (line: string): number =>
  Number(Buffer.from(line.slice(line.lastIndexOf(' ') + 1), 'base64').readBigUInt64BE(4));
