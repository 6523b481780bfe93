import type { Schemas, Site } from '../../app/data';
import { useSite } from '../../app/site';
import { TextArea, TextField, useDraft } from '../../ui';
import { Section } from './section';

const fromSite = ({ settings: { controller } }: Site) => ({
  name: controller.name ?? '',
  address: controller.address ?? '',
  email: controller.email ?? '',
  phone: controller.phone ?? '',
  representative: controller.representative ?? '',
  authority: controller.authority ?? '',
  'dpo.name': controller.dpo?.name ?? '',
  'dpo.email': controller.dpo?.email ?? '',
});
type Draft = ReturnType<typeof fromSite>;

/** The controller as the contract has it, without empty fields. */
function toController({ 'dpo.name': name, 'dpo.email': email, ...rest }: Draft): Schemas['Controller'] {
  const given = Object.fromEntries(Object.entries(rest).filter(([, text]) => text !== ''));
  return { ...given, ...((name !== '' || email !== '') && { dpo: { name, email } }) };
}

/** The controller, the contact person, and the supervisory authority. */
export function ControllerSection() {
  const draft = useDraft(fromSite(useSite()), 'settings.controller.');
  const { bind } = draft;
  return (
    <Section
      title="Controller and DPO"
      lead="Appears in the records of processing (GDPR Art. 30) and in your answers to data subjects."
      draft={draft}
      fromSite={fromSite}
      toPatch={(value) => ({ settings: { controller: toController(value) } })}
    >
      <TextField label="Name of the controller" {...bind('name')} maxLength={200} />
      <TextArea label="Address" {...bind('address')} rows={3} maxLength={500} />
      <div className="two">
        <TextField label="E-mail address" {...bind('email')} type="email" />
        <TextField label="Telephone" {...bind('phone')} type="tel" maxLength={50} />
      </div>
      <TextArea
        label="Representative in the Union"
        {...bind('representative')}
        description="If the controller is not established there (GDPR Art. 27)."
        rows={2}
        maxLength={500}
      />
      <fieldset className="entry-group">
        <legend>Data protection officer</legend>
        <div className="two">
          <TextField label="Name of the officer" {...bind('dpo.name')} maxLength={200} />
          <TextField label="E-mail address of the officer" {...bind('dpo.email')} type="email" />
        </div>
      </fieldset>
      <TextField
        label="Supervisory authority"
        {...bind('authority')}
        description="Breaches are reported to it (GDPR Art. 55)."
        maxLength={200}
      />
    </Section>
  );
}
