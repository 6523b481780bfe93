/** A component as the tools of Vue see it: by its props and slots. */
export type VueComponent<Props, Slots = object> = new () => { $props: Props; $slots: Slots };
