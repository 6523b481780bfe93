import type { Schemas } from '../../app/data';

type Grade = Schemas['ComplianceScore']['grade'];

/** The colour of each grade, on all pages. */
export const GRADE_TONES: Record<Grade, 'good' | 'warn' | 'bad'> = {
  A: 'good',
  B: 'good',
  C: 'warn',
  D: 'warn',
  E: 'bad',
  F: 'bad',
};
