import { keys, type Schemas, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';

type Score = Schemas['ComplianceScore'];
type Check = Schemas['ComplianceCheck'];

/** The score of the site: one reading for every page that shows it. */
export const useScore = () => {
  const { token } = useSite();
  return useAnswer(keys.site(token, 'compliance-score'), (api, signal) =>
    api.getComplianceScore({ token }, { signal }),
  );
};

/** How many points of the score a check is worth, as text. */
export function worth(check: Check, { checks }: Score): string {
  const total = checks.reduce((sum, { weight }) => sum + weight, 0);
  return ((100 * check.weight) / total).toFixed(1);
}

/** The checks of one state, the weightiest first. */
export const checksOf = ({ checks }: Score, state: Check['status']): Check[] =>
  checks.filter(({ status }) => status === state).sort((a, b) => b.weight - a.weight);

/** What can be done for a better score, in the order of the page of all checks: what fails, then what nobody knows. */
export const advice = (score: Score): Check[] =>
  [...checksOf(score, 'fail'), ...checksOf(score, 'unknown')].filter(
    ({ remedy }) => remedy !== '' && !remedy.startsWith('Nothing to do'),
  );
