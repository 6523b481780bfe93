import { lazy, Suspense } from 'react';
import { type Schemas, useAction } from '../../app/data';
import { Alert, Form, RadioGroup, Switch, TextArea } from '../../ui';
import { useKeptDraft } from '../../ui/kept-draft';
import { Cancel, type StepProps, useStep } from './forms';
import { needsReasons, whyNotMailed } from './mailing';
import { RESOLUTIONS } from './names';
import { StillOpen, useOpenSearches } from './open-searches';

type Dsar = Schemas['Dsar'];

// Loaded when somebody answers in words.
const TemplateChoice = lazy(() => import('./template-choice'));

const DONE = 'The request is resolved.';

/** Marks the request as answered. */
export default function ResolveForm(props: StepProps) {
  const { dsar } = props;
  const draft = useKeptDraft(`dsar:resolve:${dsar.request_id}`, {
    resolution: (dsar.possible_duplicate_of === null ? 'fulfilled' : 'duplicate') as NonNullable<
      Dsar['resolution']
    >,
    note: '',
    answer: '',
    mail: true,
  });
  const why = whyNotMailed(dsar.mailing);
  const mail = why === undefined && draft.value.mail;
  const done = mail ? DONE : `${DONE} Nothing is mailed to the person.`;
  const { request, ...after } = useStep(props, done, draft.discard);
  const searches = useOpenSearches(dsar);
  const resolve = useAction(
    (api, { resolution, note, answer }: typeof draft.value) =>
      api.resolveDsar({
        ...request,
        body: { resolution, mail, ...(note && { note }), ...(answer && { answer }) },
      }),
    after,
  );
  return (
    <Form
      action={resolve}
      submit={searches.asks ? 'Resolve all the same' : 'Resolve'}
      extra={<Cancel close={props.close} />}
      onSubmit={() => searches.unlessOpen(() => resolve.run(draft.value))}
    >
      <RadioGroup label="Outcome" {...draft.bind('resolution')} options={RESOLUTIONS} />
      <TextArea
        label="Note"
        {...draft.bind('note')}
        description="What you did, for the record; it is evidence of your answer (GDPR Art. 5(2)). The person does not see it."
        maxLength={10000}
      />
      {why !== undefined && <Alert tone="warn">{why}</Alert>}
      {dsar.email !== '' && (
        <Switch
          {...draft.bind('mail')}
          value={mail}
          isDisabled={why !== undefined}
          label="Mail the answer"
          hint={`To ${dsar.email}, with a link to the files of the answer, if there are any.`}
        />
      )}
      <Suspense>
        <TemplateChoice dsar={dsar} onText={(answer) => draft.set({ answer })} />
      </Suspense>
      <TextArea
        label="Answer"
        {...draft.bind('answer')}
        description={described(mail, draft.value.resolution)}
        maxLength={10000}
        isRequired={mail && needsReasons(draft.value.resolution)}
      />
      {searches.asks && <StillOpen {...searches} />}
    </Form>
  );
}

/** What belongs into the answer, and what becomes of it. */
function described(mail: boolean, resolution: NonNullable<Dsar['resolution']>): string {
  const reasons = needsReasons(resolution) ? ' Say what is not done, and why (GDPR Art. 12(4)).' : '';
  const how = mail ? 'What the mail says besides the outcome.' : 'What you tell the person yourself.';
  return `${how}${reasons} It is kept with the request.`;
}
