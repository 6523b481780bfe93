import { Alert, words } from '../../ui';
import type { Proof } from './facts';
import style from './proof.module.css';

/** The settings' texts in the visitor's language, in the banner's order. */
export function ShownTexts({ proof: { shown, language } }: { proof: Proof }) {
  const { banner, categories, default_language, privacy_policy_url } = shown.settings;
  const texts = banner.texts[language] ?? banner.texts[default_language] ?? {};
  // A category's key may be the name of a property that every object has.
  const own = new Map(Object.entries(texts.categories ?? {}));
  return (
    <div className="stack">
      <section className={style.shown} lang={language} aria-label="Texts of the banner">
        <strong>{texts.title ?? <BuiltIn />}</strong>
        <p>{texts.description ?? <BuiltIn />}</p>
        <p className="row">
          {banner.first_layer_buttons.map((button) => (
            <span key={button} className={style.shownButton}>
              {texts[button] ?? words(button)}
            </span>
          ))}
        </p>
        <dl>
          {categories.map(({ key, name, description, required }) => (
            <div key={key}>
              <dt>
                {own.get(key)?.name ?? name}
                {required && <span className="muted"> (always active)</span>}
              </dt>
              <dd>{own.get(key)?.description ?? description}</dd>
            </div>
          ))}
        </dl>
        {privacy_policy_url != null && <p className="hint">{privacy_policy_url}</p>}
      </section>
      <Alert>
        The record names no bundle, because a program or an older script sent the decision. These are the
        texts and categories of the settings version in force at that time.
      </Alert>
    </div>
  );
}

const BuiltIn = () => <span className="muted">Avow’s own text in this language</span>;
