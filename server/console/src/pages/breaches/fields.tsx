import { Card, DateTimeField, NumberField, RadioGroup, TextArea, TextField } from '../../ui';
import type { useKeptDraft } from '../../ui/kept-draft';
import type { BreachDraft } from './draft';
import { SEVERITIES } from './names';

type Draft = ReturnType<typeof useKeptDraft<BreachDraft>>;

/** The fields that GDPR Art. 33(3) and (5) ask for. */
export function BreachFields({ draft: { bind } }: { draft: Draft }) {
  return (
    <>
      <Card title="What happened">
        <TextField
          label="Title"
          {...bind('title')}
          maxLength={200}
          isRequired
          description="What happened, in one line; the register shows it."
        />
        <RadioGroup
          label="Severity"
          {...bind('severity')}
          options={SEVERITIES}
          description="How bad the likely consequences for people are."
        />
        <TextArea
          label="Nature of the breach"
          {...bind('nature')}
          rows={2}
          maxLength={5000}
          description="Confidentiality, integrity or availability, and how it came about (Art. 33(3)(a))."
        />
        <TextArea label="Description" {...bind('description')} maxLength={20000} />
      </Card>
      <Card title="When">
        <DateTimeField
          label="Known since"
          {...bind('aware_at')}
          isRequired
          description="The 72 hours run from here."
        />
        <DateTimeField label="Began" {...bind('occurred_from')} />
        <DateTimeField label="Ended" {...bind('occurred_to')} />
      </Card>
      <Card title="Who and what is affected">
        <TextArea
          label="Categories of people"
          {...bind('subject_categories')}
          rows={2}
          description="One in each line, such as customers or employees."
        />
        <NumberField
          label="Number of people"
          {...bind('affected_subjects')}
          description="Roughly; leave it empty while unknown."
        />
        <TextArea
          label="Categories of data"
          {...bind('data_categories')}
          rows={2}
          description="One in each line, such as e-mail addresses or bank details."
        />
        <NumberField label="Number of records" {...bind('affected_records')} />
      </Card>
      <Card title="Consequences and measures">
        <TextArea
          label="Likely consequences"
          {...bind('consequences')}
          maxLength={10000}
          description="Art. 33(3)(c)."
        />
        <TextArea
          label="Measures taken or proposed"
          {...bind('measures')}
          maxLength={10000}
          description="Include measures that reduce the harm (Art. 33(3)(d))."
        />
        <DateTimeField
          label="People informed"
          {...bind('subjects_informed_at')}
          description="Needed when the risk for them is high (Art. 34)."
        />
      </Card>
    </>
  );
}
