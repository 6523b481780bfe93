import type { Figure } from '../figure';
import { analytics } from './analytics';
import { attacks } from './attacks';
import { bytes } from './bytes';
import { cluster } from './cluster';
import { cost } from './cost';
import { evidence } from './evidence';
import { generation } from './generation';
import { limited } from './limited';
import { memory } from './memory';
import { outbox } from './outbox';
import { owners } from './owners';
import { paint } from './paint';
import { stored } from './stored';
import { beaconsFigure, impressionsFigure, reads, scriptsFigure, writes } from './throughput';
import { webhooks } from './webhooks';

/** Everything that `npm run bench` measures, in this order. */
export const figures: Figure[] = [
  writes,
  reads,
  impressionsFigure,
  beaconsFigure,
  scriptsFigure,
  generation,
  paint,
  cost,
  limited,
  bytes,
  stored,
  webhooks,
  outbox,
  evidence,
  analytics,
  owners,
  memory,
  attacks,
  cluster,
];
