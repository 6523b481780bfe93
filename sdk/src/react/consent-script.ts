import { useEffect, useRef } from 'react';
import { type ConsentScriptOptions, loadWhenAllowed } from '../browser/load-script.js';

export type ConsentScriptProps = ConsentScriptOptions;

/** Loads a script once its category is allowed. Renders nothing. */
export function ConsentScript(props: ConsentScriptProps): null {
  const { category, vendor, src } = props;
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(
    () =>
      loadWhenAllowed({
        ...latest.current,
        category,
        vendor,
        src,
        onLoad: () => latest.current.onLoad?.(),
        onError: (error) => latest.current.onError?.(error),
      }),
    [category, vendor, src],
  );
  return null;
}
