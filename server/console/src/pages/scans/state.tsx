import type { Schemas } from '../../app/data';
import { Badge, type Tone } from '../../ui';

export type Scan = Schemas['CookieScan'];

/** How often a running scan is read again, in milliseconds. */
export const POLL = 2000;

const STATES: Record<Scan['status'], readonly [Tone | 'neutral', string]> = {
  queued: ['neutral', 'Waiting'],
  running: ['info', 'Running'],
  done: ['good', 'Done'],
  failed: ['bad', 'Failed'],
};

export const isUnderWay = ({ status }: Pick<Scan, 'status'>): boolean =>
  status === 'queued' || status === 'running';

export function ScanState({ scan }: { scan: Pick<Scan, 'status'> }) {
  const [tone, name] = STATES[scan.status];
  return <Badge tone={tone}>{name}</Badge>;
}
