import { clock } from '../domain/clock';
import { scoreOf } from '../domain/compliance';
import { gatherEvidence } from '../services/evidence';
import type { Handler } from './handler';

export const getComplianceScore: Handler<'getComplianceScore'> = async ({ db, program }, { environment }) => {
  const now = clock.date();
  return { ...scoreOf(await gatherEvidence(db, environment, now, program)), computed_at: now.toISOString() };
};
