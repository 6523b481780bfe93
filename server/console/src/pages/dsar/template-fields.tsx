import type { Schemas } from '../../app/data';
import { Select, TextArea, TextField } from '../../ui';
import type { useKeptDraft } from '../../ui/kept-draft';
import { TYPES } from './names';

/** What of a template can be changed. */
export type TemplateBody = Pick<Schemas['AnswerTemplate'], 'name' | 'request_type' | 'language' | 'text'>;

export function TemplateFields({ draft }: { draft: ReturnType<typeof useKeptDraft<TemplateBody>> }) {
  return (
    <>
      <TextField label="Name" {...draft.bind('name')} maxLength={100} isRequired />
      <div className="two">
        <Select label="Request" {...draft.bind('request_type')} options={TYPES} isRequired />
        <TextField
          label="Language"
          {...draft.bind('language')}
          maxLength={12}
          isRequired
          description="A tag such as en, de or pt-BR. A request gets the templates of its language first."
        />
      </div>
      <TextArea
        label="Text"
        {...draft.bind('text')}
        rows={16}
        maxLength={5000}
        isRequired
        description="Plain text. These are filled in: {site}, {controller}, {name}, {type}, {reference}, {received}, {due} and {today}, at most 20 in all. Mark with square brackets what must be written each time."
      />
    </>
  );
}
