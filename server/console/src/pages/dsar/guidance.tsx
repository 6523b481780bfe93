import type { Schemas } from '../../app/data';
import { Card } from '../../ui';
import style from './dsar.module.css';

type Type = Schemas['DsarType'];

/** What the law requires for each right: the article, and what to do. */
const GUIDANCE: Record<Type, readonly [string, readonly string[]]> = {
  access: [
    'Art. 15',
    [
      'Collect all data that you hold about the person in every system, except backups.',
      'Send a copy with purposes, recipients, storage periods and sources, free of charge.',
      'Remove what would harm the rights of others.',
    ],
  ],
  rectification: [
    'Art. 16 and 19',
    ['Correct or complete the data.', 'Tell every recipient of the data, if possible.'],
  ],
  erasure: [
    'Art. 17 and 19',
    [
      'Check whether you must keep some data, such as invoices (Art. 17(3)).',
      'Delete the rest, including at your processors; delete the data kept here with “Erase a person” above.',
      'Tell every recipient of the data.',
    ],
  ],
  restriction: [
    'Art. 18 and 19',
    ['Mark the data and stop every use except storage.', 'Tell the person before the restriction is lifted.'],
  ],
  portability: [
    'Art. 20',
    [
      'Give the data that the person provided or that was observed about them, in a machine-readable format such as CSV or JSON.',
      'On request, send the data directly to another controller, where that is feasible.',
    ],
  ],
  objection: [
    'Art. 21',
    [
      'Direct marketing: stop at once, without weighing interests (Art. 21(3)).',
      'Otherwise stop, unless you can show compelling legitimate grounds.',
    ],
  ],
  automated_decision: [
    'Art. 22',
    ['Have a person review the decision, hear the data subject, and explain the logic involved.'],
  ],
  withdraw_consent: [
    'Art. 7(3)',
    [
      'Stop all processing based on this consent; earlier processing stays lawful.',
      'The visitor can also withdraw on the site, in the privacy settings.',
    ],
  ],
  complaint: [
    'Art. 77 and 12',
    [
      'Find out what happened and answer in writing.',
      'Name the supervisory authority that the person can contact.',
    ],
  ],
};

/** A hint on what to do with a request. */
export function Guidance({ type }: { type: Type }) {
  const [article, steps] = GUIDANCE[type];
  return (
    <Card title={`What to do (GDPR ${article})`}>
      <ol className={style.guidance}>
        <li>Verify the person’s identity (Art. 12(6)); ask for no more than you need.</li>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
        <li>Answer within the deadline, then resolve the request here.</li>
      </ol>
    </Card>
  );
}
