import type { Schemas } from '../../app/data';
import { Card } from '../../ui';
import style from './dsar.module.css';

type Type = Schemas['DsarType'];

/** What the law asks for, by right: its article, and what to do. */
const GUIDANCE: Record<Type, readonly [string, readonly string[]]> = {
  access: [
    'Art. 15',
    [
      'Collect all that you hold of the person in every system, backups aside.',
      'Send a copy with purposes, recipients, storage periods and sources, free of charge.',
      'Take out what would harm the rights of others.',
    ],
  ],
  rectification: [
    'Art. 16 and 19',
    ['Correct or complete the data.', 'Tell every recipient of the data, where that is possible.'],
  ],
  erasure: [
    'Art. 17 and 19',
    [
      'Check whether you must keep something, such as invoices (Art. 17(3)).',
      'Delete the rest, also with your processors; what is kept here goes with “Erase a person” above.',
      'Tell every recipient of the data.',
    ],
  ],
  restriction: [
    'Art. 18 and 19',
    ['Mark the data and stop every use but storage.', 'Tell the person before the restriction is lifted.'],
  ],
  portability: [
    'Art. 20',
    [
      'Give what the person provided, and what was observed of them, in a machine-readable format such as CSV or JSON.',
      'On request send it to another controller directly, where that is feasible.',
    ],
  ],
  objection: [
    'Art. 21',
    [
      'Direct marketing: stop at once, without weighing anything (Art. 21(3)).',
      'Else stop, unless you can show compelling grounds that override.',
    ],
  ],
  automated_decision: [
    'Art. 22',
    ['Let a person look at the decision again, hear the data subject, and explain the logic involved.'],
  ],
  withdraw_consent: [
    'Art. 7(3)',
    [
      'Stop everything that rested on this consent; what was done before stays lawful.',
      'The visitor can also withdraw on the site, in the privacy settings.',
    ],
  ],
  complaint: [
    'Art. 77 and 12',
    [
      'Find out what happened and answer in writing.',
      'Name the supervisory authority to which the person can turn.',
    ],
  ],
};

/** A hint of what to do with a request. */
export function Guidance({ type }: { type: Type }) {
  const [article, steps] = GUIDANCE[type];
  return (
    <Card title={`What to do (GDPR ${article})`}>
      <ol className={style.guidance}>
        <li>Make sure that the person is who they say (Art. 12(6)); ask for no more than you need.</li>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
        <li>Answer within the deadline, then resolve the request here.</li>
      </ol>
    </Card>
  );
}
