// Types for what our scripts find in the browser: the library beside them, the events that they send each other,
// and elements by what a selector names. Nothing here is served.

interface IdiomorphCallbacks {
  beforeNodeMorphed(old: Node, fresh: Node): void;
  afterNodeMorphed(old: Node, fresh: Node): void;
  beforeAttributeUpdated(name: string, element: Element): boolean;
  beforeNodeRemoved(node: Node & { id?: string }): boolean;
}
interface Window {
  readonly Idiomorph?: {
    morph(
      old: Element,
      fresh: DocumentFragment,
      options: { morphStyle: string; callbacks: IdiomorphCallbacks }
    ): void;
  };
}

interface HTMLElementEventMap {
  "table:shown": CustomEvent; // something new of the table is on the page
  "form:unsent": CustomEvent<{ form: HTMLFormElement; button: HTMLButtonElement | null }>; // it did not arrive
  "form:refused": CustomEvent; // it came too often
  "form:answered": CustomEvent; // it may be sent again
  "sheet:opening": CustomEvent; // the first sheet is about to be shown
  "sheet:shown": CustomEvent<boolean>; // true: somebody has opened it; false: it is the same, fetched again
  "sheet:stays": CustomEvent; // the page below it is new
  "sheet:closed": CustomEvent;
}
interface DocumentEventMap {
  "table:lost": CustomEvent; // something that was asked of the server did not come
}

// Of our elements: fingers and keys reach nothing else.
interface UIEvent {
  readonly target: HTMLElement;
}
interface SubmitEvent {
  readonly target: HTMLFormElement;
}

type Tags = HTMLElementTagNameMap & Pick<SVGElementTagNameMap, "svg" | "use" | "g" | "rect">;
type LastOf<S extends string> = S extends `${string} ${infer Rest}` ? LastOf<Rest> : S;
type TagOf<S extends string> = S extends `${infer Tag}${"[" | "." | ":" | "#"}${string}`
  ? TagOf<Tag>
  : S;
type Selected<S extends string> = S extends `${infer One},${infer More}`
  ? Selected<One> | Selected<More>
  : TagOf<LastOf<S>> extends keyof Tags
    ? Tags[TagOf<LastOf<S>>]
    : HTMLElement;

interface ParentNode {
  querySelector<S extends string>(selectors: S): Selected<S> | null;
  querySelectorAll<S extends string>(selectors: S): NodeListOf<Selected<S>>;
}
interface Element {
  closest<S extends string>(selectors: S): Selected<S> | null;
}
