import type { Schemas } from '../../app/data';
import { useSite } from '../../app/site';
import { Badge, type Tone } from '../../ui';
import { SubNav } from '../../ui/sub-nav';

type Decision = Schemas['Decision'];

export const DECISIONS: readonly (readonly [Decision, string])[] = [
  ['accept_all', 'Accepted all'],
  ['reject_all', 'Rejected all'],
  ['save_preferences', 'Own choice'],
];

export const METHODS: Record<Schemas['ConsentMethod'], string> = {
  banner: 'On the banner',
  settings: 'In the settings dialog',
  placeholder: 'On the placeholder of blocked content',
  api: 'By a program',
  gpc: 'By Global Privacy Control',
  link: 'Brought along from another domain of the site',
};

/** Anybody can send what a page sends. */
export const recorderName = (by: Schemas['RecordedBy']): string =>
  by === 'owner' ? 'Recorded by your system' : 'As the page sent it';

const TONES: Record<Decision, Tone> = { accept_all: 'good', reject_all: 'warn', save_preferences: 'info' };

export const decisionName = (decision: Decision): string =>
  DECISIONS.find(([key]) => key === decision)?.[1] ?? decision;

export const DecisionBadge = ({ decision }: { decision: Decision }) => (
  <Badge tone={TONES[decision]}>{decisionName(decision)}</Badge>
);

/** The two kinds of consent records, and what was erased of them. */
export function ConsentSections() {
  const { path } = useSite();
  return (
    <SubNav
      label="Kinds of consent"
      links={[
        [path('consents'), 'Cookie decisions'],
        [path('consents/forms'), 'Form consents'],
        [path('consents/erasures'), 'Erased so far'],
      ]}
    />
  );
}
