import type { Schemas } from '../../app/data';
import { Alert, Card, count, percent, Table, Time, type Tone } from '../../ui';

type Test = Schemas['BannerTestFigures'];
type Version = Schemas['TestVersionFigures'];
type Rate = Schemas['TestRate'];

const TONES: Partial<Record<Test['verdict'], Tone>> = { a_better: 'good', b_better: 'good' };

const AIMS: Record<Test['aim'], string> = {
  decisions: 'impressions that end in a decision',
  accept_all: 'impressions that end with everything accepted',
};

/** A share with the interval in which it most likely is. */
const rate = (found: Rate | null): string =>
  found === null ? '–' : `${percent(found.rate)} (${percent(found.from)} to ${percent(found.to)})`;

const ROWS: readonly (readonly [string, (version: Version) => string])[] = [
  ['Impressions', ({ impressions }) => count(impressions)],
  ['Decisions', ({ decisions }) => count(decisions)],
  ['Share with a decision', ({ decision_rate }) => rate(decision_rate)],
  ['Accepted all', ({ accept_all }) => count(accept_all)],
  ['Share that accepted all', ({ accept_rate }) => rate(accept_rate)],
  ['Refused all', ({ reject_all }) => count(reject_all)],
  ['Chose by category', ({ save_preferences }) => count(save_preferences)],
  ['Programs, not counted above', ({ bots }) => count(bots)],
];

/** What was counted of both versions, and what follows of it. */
export function Figures({ test, title }: { test: Test; title: string }) {
  const { verdict, verdict_text, a, b, share, aim, smallest_difference, p_value } = test;
  return (
    <Card title={title}>
      <Alert tone={TONES[verdict] ?? 'info'}>{verdict_text}</Alert>
      <Table
        label={`Figures of test ${test.number}`}
        rows={ROWS}
        rowKey={([name]) => name}
        columns={[
          { title: 'What', cell: ([name]) => name },
          { title: `Version A (${100 - share} %)`, cell: ([, of]) => of(a), numeric: true },
          { title: `Version B (${share} %)`, cell: ([, of]) => of(b), numeric: true },
        ]}
      />
      <p className="hint">
        Since <Time at={test.started_at} />
        {test.ended_at !== null && (
          <>
            {' '}
            until <Time at={test.ended_at} />
          </>
        )}
        . Compared: {AIMS[aim]}. Planned: {count(test.planned_impressions)} impressions, which find a
        difference of {smallest_difference} percentage points or more in four of five tests.
        {p_value !== null && ` p = ${p_value < 0.001 ? 'less than 0.001' : p_value.toFixed(3)}.`} In brackets:
        95 % confidence intervals.
      </p>
    </Card>
  );
}
