import type { Schemas } from '../../app/data';

type Grade = Schemas['ComplianceScore']['grade'];

/** How a grade looks, wherever it is shown. */
export const GRADE_TONES: Record<Grade, 'good' | 'warn' | 'bad'> = {
  A: 'good',
  B: 'good',
  C: 'warn',
  D: 'warn',
  E: 'bad',
  F: 'bad',
};
