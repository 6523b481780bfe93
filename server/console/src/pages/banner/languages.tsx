import { useState } from 'react';
import { BUILT_IN_LANGUAGES, languageNames } from '../../app/lists';
import { Badge, Button, Card, Select, TextField } from '../../ui';
import style from './banner.module.css';
import type { Editor } from './draft';

/** The languages of the site and the default one. */
export function Languages({ editor: { value, set } }: { editor: Editor }) {
  const { languages, default_language } = value;
  return (
    <Card title="Languages">
      <p className="muted">
        A visitor gets the language of the page, or of the browser, or the default, in this order.
      </p>
      <ul className={style.languageList}>
        {languages.map((tag) => (
          <li key={tag} className="row">
            <span>
              {languageNames([tag])} <code>{tag}</code>
            </span>
            {tag === default_language ? (
              <Badge tone="info">Default</Badge>
            ) : (
              <>
                <Button
                  small
                  aria-label={`Make default: ${languageNames([tag])}`}
                  onPress={() => set({ default_language: tag })}
                >
                  Make default
                </Button>
                <Button
                  small
                  aria-label={`Remove: ${languageNames([tag])}`}
                  onPress={() => set({ languages: languages.filter((one) => one !== tag) })}
                >
                  Remove
                </Button>
              </>
            )}
          </li>
        ))}
      </ul>
      <Add languages={languages} onAdd={(tag) => set({ languages: [...languages, tag] })} />
    </Card>
  );
}

function Add({ languages, onAdd }: { languages: readonly string[]; onAdd: (tag: string) => void }) {
  const [chosen, setChosen] = useState('');
  const [typed, setTyped] = useState('');
  const tag = chosen === 'other' ? typed.trim() : chosen;
  const options = BUILT_IN_LANGUAGES.filter((one) => !languages.includes(one))
    .map((one) => [one, languageNames([one])] as const)
    .sort(([, a], [, b]) => a.localeCompare(b));
  const add = () => {
    onAdd(tag);
    setChosen('');
    setTyped('');
  };
  return (
    <div className="two">
      <Select
        label="Add a language"
        isRequired
        options={[['', 'Choose …'], ...options, ['other', 'Another one …']]}
        value={chosen}
        onChange={setChosen}
      />
      {chosen === 'other' && (
        <TextField
          label="Language tag"
          isRequired
          value={typed}
          onChange={setTyped}
          maxLength={12}
          description="BCP 47, such as pt-BR. You write its texts."
        />
      )}
      <div className={style.addLanguage}>
        <Button isDisabled={tag === '' || languages.includes(tag)} onPress={add}>
          Add
        </Button>
      </div>
    </div>
  );
}
