import type { Input } from '@avow/sdk';
import { useState } from 'react';
import { keys, useAction } from '../../app/data';
import {
  Button,
  CheckboxGroup,
  DateTimeField,
  Dialog,
  Form,
  RadioGroup,
  TextArea,
  TextField,
  useDraft,
} from '../../ui';
import { SCOPES, type Scope, type ScopeSet, SETS } from './names';
import { ShownKey } from './shown-key';

type Body = Input<'createKey'>['body'];

/** The site that a key shall be bound to, if it is made on that site's page. */
interface For {
  site?: string;
  onClose: () => void;
}

/** Makes a key and shows it, once. */
export function MakeKey({ isOpen, site, onClose }: For & { isOpen: boolean }) {
  const [text, setText] = useState<string>();
  const close = () => {
    setText(undefined);
    onClose();
  };
  return (
    <Dialog isOpen={isOpen} onClose={close} title={text === undefined ? 'Make an API key' : 'Copy the key'}>
      {text === undefined ? (
        <Fields {...(site !== undefined && { site })} onMade={setText} onClose={close} />
      ) : (
        <ShownKey text={text} onClose={close} />
      )}
    </Dialog>
  );
}

const EMPTY = {
  name: '',
  set: 'export' as ScopeSet | 'own',
  scopes: [] as Scope[],
  expires_at: '',
  networks: '',
};

function Fields({ site, onMade, onClose }: For & { onMade: (text: string) => void }) {
  const draft = useDraft(EMPTY);
  const make = useAction((api, body: Body) => api.createKey({ body }), {
    changes: [keys.ownKeys, ...(site === undefined ? [] : [keys.site(site, 'keys')])],
    onDone: ({ key }) => onMade(key),
  });
  const { name, set, scopes, expires_at, networks } = draft.value;
  const list = networks.split(/[\s,]+/).filter((one) => one !== '');
  const body: Body = {
    name,
    ...(set === 'own' ? { scopes } : { set }),
    ...(site !== undefined && { site }),
    ...(expires_at !== '' && { expires_at }),
    ...(list.length > 0 && { networks: list }),
  };
  return (
    <Form
      action={make}
      submit="Make the key"
      onSubmit={() => make.run(body)}
      extra={<Button onPress={onClose}>Cancel</Button>}
    >
      <TextField
        label="Name"
        {...draft.bind('name')}
        maxLength={100}
        isRequired
        autoFocus
        description="What the key is for, such as “nightly export”."
      />
      <RadioGroup label="What it may do" {...draft.bind('set')} options={SETS} />
      {set === 'own' && <CheckboxGroup label="Scopes" {...draft.bind('scopes')} options={SCOPES} />}
      <DateTimeField
        label="Works until"
        {...draft.bind('expires_at')}
        description="Empty: until you revoke it."
      />
      <TextArea
        label="Networks"
        {...draft.bind('networks')}
        rows={2}
        description="Where it may be used from, such as 203.0.113.0/24. Empty: from anywhere."
      />
    </Form>
  );
}
