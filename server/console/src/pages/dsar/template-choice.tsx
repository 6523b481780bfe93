import { useState } from 'react';
import { keys, type Schemas, useAction, useAnswer } from '../../app/data';
import { languageNames } from '../../app/lists';
import { useSite } from '../../app/site';
import { Alert, Button, Failed, Select } from '../../ui';

type Dsar = Schemas['Dsar'];
type Template = Schemas['AnswerTemplate'];
type Filled = Schemas['AnswerText'];

/** Begins a text with a template: chosen, filled in, and then changed as one likes. */
export default function TemplateChoice({ dsar, onText }: { dsar: Dsar; onText: (text: string) => void }) {
  const { token } = useSite();
  const { request_id, request_type } = dsar;
  const templates = useAnswer(keys.site(token, 'dsar-templates', request_type), (api, signal) =>
    api.listAnswerTemplates({ token, request_type }, { signal }),
  );
  const [template_id, choose] = useState('');
  const [filled, setFilled] = useState<Filled>();
  const fill = useAction(
    (api, id: string) => api.getAnswerText({ token, request_id, ...(id && { template_id: id }) }),
    {
      onDone: (answer) => {
        setFilled(answer);
        onText(answer.text);
      },
    },
  );
  return (
    <>
      <Select
        label="Begin with a template"
        description="What it fills in replaces what is written below; you can change it."
        value={template_id}
        onChange={choose}
        options={[
          ['', 'The first one in the language of the request'],
          ...(templates.data?.items ?? []).map((one) => [one.template_id, nameOf(one)] as const),
        ]}
      />
      <div className="row">
        <Button isPending={fill.pending} onPress={() => fill.run(template_id)}>
          Fill in
        </Button>
      </div>
      {filled !== undefined && <Said filled={filled} />}
      <Failed error={fill.error ?? templates.error} />
    </>
  );
}

const nameOf = ({ name, language, builtin }: Template): string =>
  `${name} (${languageNames([language])}${builtin ? ', built-in' : ''})`;

/** What whoever answers must look at. */
function Said({ filled: { language, wanted_language, other_language, missing } }: { filled: Filled }) {
  return (
    <>
      {other_language && (
        <Alert tone="warn" live>
          The person wants an answer in {languageNames([wanted_language])}; this text is in{' '}
          {languageNames([language])}.
        </Alert>
      )}
      {missing.length > 0 && <Alert live>The request does not say: {missing.join(', ')}.</Alert>}
    </>
  );
}
