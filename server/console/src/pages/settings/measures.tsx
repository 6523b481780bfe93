import type { Site } from '../../app/data';
import { toLines } from '../../app/lists';
import { useSite } from '../../app/site';
import { TextArea, useDraft } from '../../ui';
import { Section } from './section';

const fromSite = ({ settings }: Site) => ({ security_measures: settings.security_measures.join('\n') });

/** Technical and organisational measures, as the records of processing name them. */
export function MeasuresSection() {
  const draft = useDraft(fromSite(useSite()), 'settings.');
  return (
    <Section
      title="Security measures"
      lead="Technical and organisational measures (GDPR Art. 32), for the records of processing."
      draft={draft}
      fromSite={fromSite}
      toPatch={({ security_measures }) => ({ settings: { security_measures: toLines(security_measures) } })}
    >
      <TextArea
        label="Measures"
        {...draft.bind('security_measures')}
        description="One on each line, such as: Encryption of connections (TLS)."
        rows={10}
      />
    </Section>
  );
}
