import { clock } from '../domain/clock';
import { scoreOf } from '../domain/compliance';
import { gatherEvidence } from '../services/evidence';
import type { Handler } from './handler';

export const getComplianceScore: Handler<'getComplianceScore'> = async (context, { environment }) => {
  const now = clock.date();
  return {
    ...scoreOf(await gatherEvidence(context.db, environment, now, context)),
    computed_at: now.toISOString(),
  };
};
